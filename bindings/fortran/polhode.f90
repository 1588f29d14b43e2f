! polhode.f90 - Polhode from Fortran 2008: the step, the batch and a system.
!
! Compile this file with your program and link it with libpolhode:
!
!     gfortran -c polhode.f90
!     gfortran mine.f90 polhode.o -lpolhode -lm -lpthread
!
! Names that begin with ph_ are the functions and structures of the C headers, whose comments
! describe them. Names that begin with polhode_ take Fortran's strings and arrays. Arrays of n
! bodies have one column for each component, q(n, 4), m(n, 3): this is the structure of arrays of
! ph_batch, without a copy.
!
! Attitudes q rotate body to space coordinates and have the scalar part first. m is the angular
! momentum in the body's principal axes, J the principal moments. A status is 0 (PH_OK) or an
! error, which polhode_status_text() describes.
module polhode
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer, parameter :: polhode_real = c_double
    integer(c_int), parameter :: PH_OK = 0
    integer, parameter :: PH_RESERVED = 8, PH_MESSAGE_SIZE = 512

    ! ---- structures of the C headers ---------------------------------------------------

    type, bind(c) :: ph_vec3
        real(c_double) :: x, y, z
    end type

    type, bind(c) :: ph_quat
        real(c_double) :: w, x, y, z
    end type

    type, bind(c) :: ph_body
        type(ph_vec3) :: J
        type(ph_quat) :: axes
        logical(c_bool) :: principal
    end type

    type, bind(c) :: ph_state
        type(ph_quat) :: q
        type(ph_vec3) :: m
    end type

    type, bind(c) :: ph_batch
        integer(c_size_t) :: n
        type(c_ptr) :: q(4), m(3), J(3)
    end type

    type, bind(c) :: ph_batch_strided
        integer(c_size_t) :: n
        type(c_ptr) :: q
        integer(c_size_t) :: q_stride
        type(c_ptr) :: m
        integer(c_size_t) :: m_stride
        type(c_ptr) :: J
        integer(c_size_t) :: J_stride
        type(c_ptr) :: along = c_null_ptr
        integer(c_size_t) :: along_stride = 0
    end type

    type, bind(c) :: ph_setting
        type(c_ptr) :: name, values
        integer(c_size_t) :: count
    end type

    type, bind(c) :: ph_message
        integer(c_int) :: setting
        character(kind=c_char) :: text(PH_MESSAGE_SIZE)
    end type

    type, bind(c) :: ph_system_settings
        type(c_ptr) :: problem = c_null_ptr, own_problem = c_null_ptr
        type(c_ptr) :: integrator = c_null_ptr, own_integrator = c_null_ptr
        real(c_double) :: step = 0, tolerance = 0, longest_step = 0
        type(c_ptr) :: settings = c_null_ptr
        integer(c_size_t) :: setting_count = 0, most_entries = 0
        integer(c_int) :: options = 0, derivatives = 0
        type(c_ptr) :: message = c_null_ptr
        type(c_funptr) :: warn = c_null_funptr
        type(c_ptr) :: context = c_null_ptr
        integer(c_int64_t) :: reserved(PH_RESERVED) = 0
    end type

    type, bind(c) :: ph_array
        type(c_ptr) :: name, unit, text, columns
        integer(c_int) :: use, width
        integer(c_size_t) :: count, stride
        type(c_ptr) :: values(4)
    end type

    type, bind(c) :: ph_observable
        type(c_ptr) :: name, unit, text, label
        integer(c_int) :: width
        logical(c_bool) :: watched, conserved, relative, defect
        real(c_double) :: start(3), now(3), error
    end type

    ! A setting of a system: a parameter, or a part of the start, by its name.
    type :: polhode_setting
        character(len=:), allocatable :: name
        real(c_double), allocatable :: values(:)
    end type

    ! ---- functions of the C headers ----------------------------------------------------

    interface
        function ph_status_text(status) bind(c) result(text)
            import :: c_int, c_ptr
            integer(c_int), value :: status
            type(c_ptr) :: text
        end function

        function ph_flow_named(name, flow) bind(c) result(status)
            import :: c_int, c_ptr, c_char
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(inout) :: flow
            integer(c_int) :: status
        end function

        function ph_body_from_moments(body, moments) bind(c) result(status)
            import :: c_int, ph_body, ph_vec3
            type(ph_body), intent(inout) :: body
            type(ph_vec3), value :: moments
            integer(c_int) :: status
        end function

        function ph_flow_step(flow, body, state, h) bind(c) result(status)
            import :: c_int, c_ptr, c_double, ph_body, ph_state
            type(c_ptr), value :: flow
            type(ph_body), intent(in) :: body
            type(ph_state), intent(inout) :: state
            real(c_double), value :: h
            integer(c_int) :: status
        end function

        function ph_flow_turn(flow, J, q, m, h, w) bind(c) result(status)
            import :: c_int, c_ptr, c_double, ph_vec3, ph_quat
            type(c_ptr), value :: flow
            type(ph_vec3), value :: J, m
            type(ph_quat), intent(inout) :: q
            real(c_double), value :: h
            type(ph_vec3), intent(out) :: w
            integer(c_int) :: status
        end function

        function ph_quat_unit(q) bind(c) result(unit)
            import :: ph_quat
            type(ph_quat), value :: q
            type(ph_quat) :: unit
        end function

        function ph_quat_rotate(q, v) bind(c) result(rotated)
            import :: ph_quat, ph_vec3
            type(ph_quat), value :: q
            type(ph_vec3), value :: v
            type(ph_vec3) :: rotated
        end function

        function ph_quat_unrotate(q, v) bind(c) result(rotated)
            import :: ph_quat, ph_vec3
            type(ph_quat), value :: q
            type(ph_vec3), value :: v
            type(ph_vec3) :: rotated
        end function

        function ph_batch_step(flow, batch, h, failed) bind(c) result(status)
            import :: c_int, c_ptr, c_double, c_size_t, ph_batch
            type(c_ptr), value :: flow
            type(ph_batch), intent(in) :: batch
            real(c_double), value :: h
            integer(c_size_t), intent(inout) :: failed
            integer(c_int) :: status
        end function

        function ph_batch_strided_step(flow, batch, h, failed) bind(c) result(status)
            import :: c_int, c_ptr, c_double, c_size_t, ph_batch_strided
            type(c_ptr), value :: flow
            type(ph_batch_strided), intent(in) :: batch
            real(c_double), value :: h
            integer(c_size_t), intent(inout) :: failed
            integer(c_int) :: status
        end function

        function ph_threads() bind(c) result(count)
            import :: c_int
            integer(c_int) :: count
        end function

        subroutine ph_set_threads(count) bind(c)
            import :: c_int
            integer(c_int), value :: count
        end subroutine

        function ph_system_create(settings, system) bind(c) result(status)
            import :: c_int, c_ptr, ph_system_settings
            type(ph_system_settings), intent(in) :: settings
            type(c_ptr), intent(inout) :: system
            integer(c_int) :: status
        end function

        subroutine ph_system_destroy(system) bind(c)
            import :: c_ptr
            type(c_ptr), value :: system
        end subroutine

        function ph_system_run(system, steps, observer) bind(c) result(status)
            import :: c_int, c_ptr, c_int64_t
            type(c_ptr), value :: system, observer
            integer(c_int64_t), value :: steps
            integer(c_int) :: status
        end function

        function ph_system_run_until(system, time, observer) bind(c) result(status)
            import :: c_int, c_ptr, c_double
            type(c_ptr), value :: system, observer
            real(c_double), value :: time
            integer(c_int) :: status
        end function

        function ph_system_time(system) bind(c) result(time)
            import :: c_ptr, c_double
            type(c_ptr), value :: system
            real(c_double) :: time
        end function

        function ph_system_energy(system) bind(c) result(energy)
            import :: c_ptr, c_double
            type(c_ptr), value :: system
            real(c_double) :: energy
        end function

        function ph_system_state(system) bind(c) result(state)
            import :: c_ptr, ph_state
            type(c_ptr), value :: system
            type(ph_state) :: state
        end function

        function ph_system_changed(system) bind(c) result(status)
            import :: c_int, c_ptr
            type(c_ptr), value :: system
            integer(c_int) :: status
        end function

        function ph_system_array_named(system, name, array) bind(c) result(status)
            import :: c_int, c_ptr, c_char
            type(c_ptr), value :: system
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(inout) :: array
            integer(c_int) :: status
        end function

        function ph_system_observable_named(system, name, observable) bind(c) result(status)
            import :: c_int, c_ptr, c_char
            type(c_ptr), value :: system
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), intent(inout) :: observable
            integer(c_int) :: status
        end function
    end interface

    ! Moments of each body, J(n, 3), or the same for all, J(3).
    interface polhode_batch_step
        module procedure batch_step_each, batch_step_alike
    end interface

    private :: batch_step_each, batch_step_alike, step_columns, columns_of, copy_to_c, text_at

contains

    ! Finds the integrator of the free body called `name`, such as "exact".
    subroutine polhode_flow(name, flow, status)
        character(len=*), intent(in) :: name
        type(c_ptr), intent(inout) :: flow
        integer(c_int), intent(out) :: status
        status = ph_flow_named(trim(name)//c_null_char, flow)
    end subroutine

    ! Advances one body with the moments J by the time h. On failure q and m are unchanged.
    subroutine polhode_step(flow, J, q, m, h, status)
        type(c_ptr), intent(in) :: flow
        real(c_double), intent(in) :: J(3), h
        real(c_double), intent(inout) :: q(4), m(3)
        integer(c_int), intent(out) :: status
        type(ph_body) :: body
        type(ph_state) :: state
        status = ph_body_from_moments(body, ph_vec3(J(1), J(2), J(3)))
        if (status /= PH_OK) return
        state = ph_state(ph_quat(q(1), q(2), q(3), q(4)), ph_vec3(m(1), m(2), m(3)))
        status = ph_flow_step(flow, body, state, h)
        if (status /= PH_OK) return
        q = [state%q%w, state%q%x, state%q%y, state%q%z]
        m = [state%m%x, state%m%y, state%m%z]
    end subroutine

    ! Advances all bodies by the time h. A body that fails is unchanged; `failed` is the first such
    ! body, counted from 1. The arrays are not copied if they are contiguous.
    subroutine batch_step_each(flow, q, m, J, h, status, failed)
        type(c_ptr), intent(in) :: flow
        real(c_double), intent(inout), contiguous, target :: q(:, :), m(:, :)
        real(c_double), intent(in), contiguous, target :: J(:, :)
        real(c_double), intent(in) :: h
        integer(c_int), intent(out) :: status
        integer(c_size_t), intent(out), optional :: failed
        type(ph_batch) :: batch
        integer :: k
        if (size(J, 1) /= size(q, 1) .or. size(J, 2) /= 3) error stop 'polhode_batch_step: J is not (n, 3)'
        batch = columns_of(q, m)
        if (batch%n > 0) batch%J = [(c_loc(J(1, k)), k = 1, 3)]
        call step_columns(flow, batch, h, status, failed)
    end subroutine

    subroutine batch_step_alike(flow, q, m, J, h, status, failed)
        type(c_ptr), intent(in) :: flow
        real(c_double), intent(inout), contiguous, target :: q(:, :), m(:, :)
        real(c_double), intent(in), contiguous, target :: J(:)
        real(c_double), intent(in) :: h
        integer(c_int), intent(out) :: status
        integer(c_size_t), intent(out), optional :: failed
        type(ph_batch) :: batch
        if (size(J) /= 3) error stop 'polhode_batch_step: J has not three moments'
        batch = columns_of(q, m)
        batch%J = [c_loc(J), c_null_ptr, c_null_ptr]
        call step_columns(flow, batch, h, status, failed)
    end subroutine

    subroutine step_columns(flow, batch, h, status, failed)
        type(c_ptr), intent(in) :: flow
        type(ph_batch), intent(in) :: batch
        real(c_double), intent(in) :: h
        integer(c_int), intent(out) :: status
        integer(c_size_t), intent(out), optional :: failed
        integer(c_size_t) :: first
        first = batch%n
        status = ph_batch_step(flow, batch, h, first)
        if (present(failed)) failed = merge(0_c_size_t, first + 1, status == PH_OK)
    end subroutine

    function columns_of(q, m) result(batch)
        real(c_double), intent(in), contiguous, target :: q(:, :), m(:, :)
        type(ph_batch) :: batch
        integer :: k
        if (size(q, 2) /= 4 .or. size(m, 2) /= 3 .or. size(m, 1) /= size(q, 1)) &
            error stop 'polhode_batch_step: q is not (n, 4), or m is not (n, 3)'
        batch%n = size(q, 1, c_size_t)
        batch%q = c_null_ptr
        batch%m = c_null_ptr
        batch%J = c_null_ptr
        if (batch%n == 0) return
        batch%q = [(c_loc(q(1, k)), k = 1, 4)]
        batch%m = [(c_loc(m(1, k)), k = 1, 3)]
    end function

    ! Creates a system of the catalog. `message` says what is wrong if the status is not PH_OK.
    ! Destroy the system with ph_system_destroy().
    subroutine polhode_system(problem, integrator, step, system, status, settings, message)
        character(len=*), intent(in) :: problem, integrator
        real(c_double), intent(in) :: step
        type(c_ptr), intent(inout) :: system
        integer(c_int), intent(out) :: status
        type(polhode_setting), intent(in), optional, target :: settings(:)
        character(len=:), allocatable, intent(out), optional :: message
        type :: c_string
            character(kind=c_char), allocatable :: text(:)
        end type
        type(c_string), allocatable, target :: names(:)
        type(ph_setting), allocatable, target :: list(:)
        character(kind=c_char), allocatable, target :: problem_name(:), integrator_name(:)
        type(ph_message), target :: why
        type(ph_system_settings) :: with
        integer :: i, count
        call copy_to_c(problem, problem_name)
        call copy_to_c(integrator, integrator_name)
        why%text = c_null_char
        count = 0
        if (present(settings)) count = size(settings)
        allocate (names(count), list(count))
        do i = 1, count
            call copy_to_c(settings(i)%name, names(i)%text)
            list(i)%name = c_loc(names(i)%text)
            list(i)%values = c_loc(settings(i)%values)
            list(i)%count = size(settings(i)%values, kind=c_size_t)
        end do
        with%problem = c_loc(problem_name)
        if (len_trim(integrator) > 0) with%integrator = c_loc(integrator_name)
        with%step = step
        if (count > 0) with%settings = c_loc(list)
        with%setting_count = int(count, c_size_t)
        with%message = c_loc(why)
        status = ph_system_create(with, system)
        if (present(message)) message = text_at(c_loc(why%text))
    end subroutine

    ! The characters of a text as C has them.
    subroutine copy_to_c(text, list)
        character(len=*), intent(in) :: text
        character(kind=c_char), allocatable, intent(out) :: list(:)
        integer :: i
        allocate (list(len_trim(text) + 1))
        do i = 1, len_trim(text)
            list(i) = text(i:i)
        end do
        list(len_trim(text) + 1) = c_null_char
    end subroutine

    ! A pointer to component `component`, counted from 1, of the array of a system called `name`. It
    ! is null if there is none. It is valid until the system is destroyed. After you have written
    ! into an array, call ph_system_changed().
    function polhode_array(system, name, component) result(values)
        type(c_ptr), intent(in) :: system
        character(len=*), intent(in) :: name
        integer, intent(in) :: component
        real(c_double), pointer :: values(:), all(:)
        type(ph_array), pointer :: array
        type(c_ptr) :: at
        nullify (values)
        if (ph_system_array_named(system, trim(name)//c_null_char, at) /= PH_OK) return
        call c_f_pointer(at, array)
        if (component < 1 .or. component > array%width) return
        call c_f_pointer(array%values(component), all, [(array%count - 1)*array%stride + 1])
        values => all(1::array%stride)
    end function

    ! The value of an observable of a system, such as "temperature". A number is in the first
    ! component. The value is NaN if the system has no such observable.
    function polhode_observe(system, name) result(value)
        use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
        type(c_ptr), intent(in) :: system
        character(len=*), intent(in) :: name
        real(c_double) :: value(3)
        type(ph_observable), pointer :: observable
        type(c_ptr) :: at
        value = ieee_value(value, ieee_quiet_nan)
        if (ph_system_observable_named(system, trim(name)//c_null_char, at) /= PH_OK) return
        call c_f_pointer(at, observable)
        value = observable%now
    end function

    ! The text of a status.
    function polhode_status_text(status) result(text)
        integer(c_int), intent(in) :: status
        character(len=:), allocatable :: text
        text = text_at(ph_status_text(status))
    end function

    function text_at(at) result(text)
        type(c_ptr), intent(in) :: at
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: characters(:)
        integer :: i, length
        call c_f_pointer(at, characters, [huge(0)])
        length = 0
        do while (characters(length + 1) /= c_null_char)
            length = length + 1
        end do
        allocate (character(len=length) :: text)
        do i = 1, length
            text(i:i) = characters(i)
        end do
    end function
end module
