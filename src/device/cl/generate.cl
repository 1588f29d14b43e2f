/* generate.cl - bodies from their numbers, by generate(), which stands before it. */
kernel void fill(global double *q0, global double *q1, global double *q2, global double *q3,
                 global double *m1, global double *m2, global double *m3,
                 global double *J1, global double *J2, global double *J3,
                 global double *times, ulong first, ulong n)
{
    const size_t i = get_global_id(0);
    if (i >= n)
        return;
    ph_state s = {{1, 0, 0, 0}, {0, 0, 0}};
    ph_vec3 J = {1, 1, 1};
    double time = 0.0;
    generate(first + i, &s, &J, &time);
    q0[i] = s.q.w, q1[i] = s.q.x, q2[i] = s.q.y, q3[i] = s.q.z;
    m1[i] = s.m.x, m2[i] = s.m.y, m3[i] = s.m.z;
    J1[i] = J.x, J2[i] = J.y, J3[i] = J.z;
    times[i] = time;
}
