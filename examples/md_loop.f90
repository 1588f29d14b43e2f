! md_loop.f90 - your own molecular dynamics in Fortran, with the rotation by the library.
!
! The program of md_loop.c, of which it prints the digits: a drop of 27 rigid molecules, three
! Lennard-Jones sites each, moves by Verlet's splitting. Then one body takes a step alone, and a
! system of the catalog runs. docs/md_loop.md says how to compile it.
program md_loop
    use, intrinsic :: iso_c_binding
    use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
    use polhode
    implicit none
    integer, parameter :: side = 3, n = side**3, sites = 3
    real(c_double), parameter :: site(3, sites) = reshape( &
        [0.4d0, 0d0, -0.2d0, -0.4d0, 0d0, -0.2d0, 0d0, 0d0, 0.4d0], [3, sites])
    real(c_double), parameter :: moments(3) = [0.08d0, 0.56d0/3, 0.32d0/3]
    real(c_double) :: x(n, 3), p(n, 3), q(n, 4), m(n, 3), force(n, 3), torque(n, 3)
    real(c_double) :: coarse, fine
    type(c_ptr) :: exact
    integer(c_int) :: status

    call polhode_flow('exact', exact, status)
    call check(status == PH_OK, 'no flow exact')
    call ph_set_threads(1)
    coarse = run(400)
    fine = run(800)
    call check(abs(coarse/fine - 4) < 0.5, 'the energy has not the order 2')
    call run_steps(100, 0.005d0, coarse, fine)
    call step_alone
    call run_system

contains

    subroutine check(good, what)
        logical, intent(in) :: good
        character(len=*), intent(in) :: what
        if (good) return
        print '(a)', what
        error stop 1
    end subroutine

    subroutine start
        integer :: i, k, at(3)
        type(ph_quat) :: turn
        do i = 1, n
            at = [mod(i - 1, side), mod((i - 1)/side, side), (i - 1)/side/side]
            turn = ph_quat_unit(ph_quat(1d0, at(1) - 1d0, 0.5d0*at(2), 0.25d0*at(3)))
            q(i, :) = [turn%w, turn%x, turn%y, turn%z]
            do k = 1, 3
                x(i, k) = 1.9d0*at(k)
                p(i, k) = 0.1d0*(at(mod(k, 3) + 1) - 1)
                m(i, k) = 0.05d0*(at(k) - 1)
            end do
        end do
    end subroutine

    ! Sets forces in space and torques in the bodies, and returns the potential.
    function forces() result(potential)
        real(c_double) :: potential, at(3, sites, n), on(3, sites, n), d(3), r2, s6, f
        type(ph_quat) :: turn
        type(ph_vec3) :: arm, g
        integer :: i, j, a, b, k
        do i = 1, n
            turn = ph_quat(q(i, 1), q(i, 2), q(i, 3), q(i, 4))
            do a = 1, sites
                arm = ph_quat_rotate(turn, ph_vec3(site(1, a), site(2, a), site(3, a)))
                at(:, a, i) = x(i, :) + [arm%x, arm%y, arm%z]
            end do
        end do
        on = 0
        potential = 0
        do i = 1, n
            do j = i + 1, n
                do a = 1, sites
                    do b = 1, sites
                        d = at(:, a, i) - at(:, b, j)
                        r2 = 0
                        do k = 1, 3
                            r2 = r2 + d(k)*d(k)
                        end do
                        s6 = 1/(r2*r2*r2)
                        f = 24*s6*(2*s6 - 1)/r2
                        potential = potential + 4*s6*(s6 - 1)
                        on(:, a, i) = on(:, a, i) + f*d
                        on(:, b, j) = on(:, b, j) - f*d
                    end do
                end do
            end do
        end do
        force = 0
        torque = 0
        do i = 1, n
            turn = ph_quat(q(i, 1), q(i, 2), q(i, 3), q(i, 4))
            do a = 1, sites
                force(i, :) = force(i, :) + on(:, a, i)
                g = ph_quat_unrotate(turn, ph_vec3(on(1, a, i), on(2, a, i), on(3, a, i)))
                torque(i, 1) = torque(i, 1) + (site(2, a)*g%z - site(3, a)*g%y)
                torque(i, 2) = torque(i, 2) + (site(3, a)*g%x - site(1, a)*g%z)
                torque(i, 3) = torque(i, 3) + (site(1, a)*g%y - site(2, a)*g%x)
            end do
        end do
    end function

    function kinetic() result(energy)
        real(c_double) :: energy
        integer :: i, k
        energy = 0
        do i = 1, n
            do k = 1, 3
                energy = energy + (p(i, k)*p(i, k) + m(i, k)*m(i, k)/moments(k))
            end do
        end do
        energy = energy/2
    end function

    ! One step: half a kick, a drift, the forces, half a kick.
    subroutine step(h, potential)
        real(c_double), intent(in) :: h
        real(c_double), intent(out) :: potential
        m = m + 0.5d0*h*torque
        p = p + 0.5d0*h*force
        call polhode_batch_step(exact, q, m, moments, h, status)
        call check(status == PH_OK, 'a step failed')
        x = x + h*p
        potential = forces()
        m = m + 0.5d0*h*torque
        p = p + 0.5d0*h*force
    end subroutine

    ! Runs to the time 2 and returns the largest error of the energy.
    function run(steps) result(worst)
        integer, intent(in) :: steps
        real(c_double) :: worst, energy, potential
        integer :: i
        call start
        potential = forces()
        energy = kinetic() + potential
        worst = 0
        do i = 1, steps
            call step(2d0/steps, potential)
            if (.not. abs(kinetic() + potential - energy) <= worst) worst = abs(kinetic() + potential - energy)
        end do
    end function

    subroutine run_steps(steps, h, first, second)
        integer, intent(in) :: steps
        real(c_double), intent(in) :: h, first, second
        real(c_double) :: potential
        integer :: i
        call start
        potential = forces()
        do i = 1, steps
            call step(h, potential)
        end do
        print '(a, es22.16)', 'energy ', first, 'energy ', second, 'attitude ', q((n + 1)/2, 1)
    end subroutine

    ! One body alone has the bits of the batch, with moments of each body and with the same for all.
    subroutine step_alone
        real(c_double) :: of_batch(n, 4), momenta(n, 3), J(n, 3), one(4), spin(3)
        integer(c_size_t) :: failed
        integer :: i
        of_batch = q
        momenta = m
        J = spread(moments, 1, n)
        call polhode_batch_step(exact, of_batch, momenta, J, 0.1d0, status, failed)
        call check(status == PH_OK .and. failed == 0, 'a step of bodies with moments of their own failed')
        do i = 1, n
            one = q(i, :)
            spin = m(i, :)
            call polhode_step(exact, moments, one, spin, 0.1d0, status)
            call check(status == PH_OK, 'a step of one body failed')
            call check(all(one == of_batch(i, :)) .and. all(spin == momenta(i, :)), 'a body alone differs')
        end do
        momenta(5, 1) = ieee_value(0d0, ieee_quiet_nan)
        call polhode_batch_step(exact, of_batch, momenta, J, 0.1d0, status, failed)
        call check(status /= PH_OK .and. failed == 5, 'a body that is not finite was not found')
        call check(len(polhode_status_text(status)) > 10, 'no text of a status')
    end subroutine

    ! A heavy top of the catalog.
    subroutine run_system
        type(c_ptr) :: top
        real(c_double), pointer :: momentum(:)
        real(c_double) :: energy, seen(3)
        character(len=:), allocatable :: message
        call polhode_system('heavy_top', 's6_10+exact', 0.01d0, top, status, &
                            [polhode_setting('strength', [2d0])], message)
        call check(status == PH_OK, message)
        energy = ph_system_energy(top)
        status = ph_system_run(top, 1000_c_int64_t, c_null_ptr)
        call check(status == PH_OK, 'the top did not run')
        call check(abs(ph_system_time(top) - 10) < 1d-12, 'the top is at another time')
        call check(abs(ph_system_energy(top) - energy) < 1d-9, 'the energy of the top changed')
        print '(a, es22.16)', 'top ', ph_system_energy(top)
        seen = polhode_observe(top, 'energy')
        call check(seen(1) == ph_system_energy(top), 'the observable energy differs')
        momentum => polhode_array(top, 'momentum', 3)
        call check(associated(momentum), 'the top has no momentum')
        momentum(1) = 2*momentum(1) + 1
        call check(ph_system_changed(top) == PH_OK, 'the top refuses a momentum')
        call check(abs(ph_system_energy(top) - energy) > 1d-3, 'the momentum was not written')
        call ph_system_destroy(top)
        call polhode_system('heavy_tops', '', 0.01d0, top, status, message=message)
        call check(status /= PH_OK .and. index(message, 'heavy_tops') > 0, 'an unknown problem is not named')
    end subroutine
end program
