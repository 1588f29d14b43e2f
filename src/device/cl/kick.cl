/* kick.cl - m += h torque, the torques given. */
kernel void kick_all(global double *m, global const double *torque, double h, ulong n)
{
    const size_t i = get_global_id(0);
    if (i < n)
        m[i] += h * torque[i];
}
