/* reduce.cl - a value of every body, reduced: sums in a fixed order, extremes, a histogram.
 *
 * Before it stands
 *     static double value_of(ulong i, ph_quat q, ph_vec3 m, ph_vec3 J)
 * GROUP neighbours are one group. Each leaves a partial result, and these are bodies of the
 * next launch, of `combine`, until one is left: the order of a sum depends on nothing.
 */
#define GROUP 64

/* Of work-item 0: the sum, the least and the most of a group. */
static void reduce(local double *sum, local double *least, local double *most, uint k)
{
    for (uint width = GROUP / 2; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < width) {
            sum[k] += sum[k + width];
            least[k] = least[k + width] < least[k] ? least[k + width] : least[k];
            most[k] = most[k + width] > most[k] ? most[k + width] : most[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* The result of a group: all sums, then all leasts, then all mosts. */
static void put(global double *partial, double sum, double least, double most)
{
    const size_t group = get_group_id(0), groups = get_num_groups(0);
    partial[group] = sum;
    partial[groups + group] = least;
    partial[2 * groups + group] = most;
}

kernel void reduce_values(global const double *q0, global const double *q1, global const double *q2,
                global const double *q3, global const double *m1, global const double *m2,
                global const double *m3, global const double *J1, global const double *J2,
                global const double *J3, ulong first, ulong n, double low, double high,
                uint bins, global double *partial, global uint *counts)
{
    local double sum[GROUP], least[GROUP], most[GROUP];
    const size_t i = get_global_id(0);
    const uint k = (uint)get_local_id(0);
    double x = 0.0;
    bool counted = false;
    if (i < n) {
        x = value_of(first + i, (ph_quat){q0[i], q1[i], q2[i], q3[i]},
                     (ph_vec3){m1[i], m2[i], m3[i]}, (ph_vec3){J1[i], J2[i], J3[i]});
        counted = isfinite(x);
        if (!counted)
            atomic_inc(&counts[bins]);
    }
    sum[k] = counted ? x : 0.0;
    least[k] = counted ? x : INFINITY;
    most[k] = counted ? x : -INFINITY;
    if (counted && bins > 0) {
        const double place = floor((x - low) / (high - low) * bins);
        const uint bin = place < 0.0 ? 0 : place < bins ? (uint)place : bins - 1;
        atomic_inc(&counts[bin]);
    }
    reduce(sum, least, most, k);
    if (k == 0)
        put(partial, sum[0], least[0], most[0]);
}

/* The partial results of n groups, into those of their groups. */
kernel void combine(global const double *partial, ulong n, global double *to)
{
    local double sum[GROUP], least[GROUP], most[GROUP];
    const size_t i = get_global_id(0);
    const uint k = (uint)get_local_id(0);
    sum[k] = i < n ? partial[i] : 0.0;
    least[k] = i < n ? partial[n + i] : INFINITY;
    most[k] = i < n ? partial[2 * n + i] : -INFINITY;
    reduce(sum, least, most, k);
    if (k == 0)
        put(to, sum[0], least[0], most[0]);
}
