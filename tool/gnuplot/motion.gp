# motion.gp - a motion in two panels: on the unit sphere in space, where the three principal
# axes point; and on the ellipsoid w . J w = 2 T in the body, the path of the angular
# velocity. The rows of $csv with selected(0) have the time t, the attitude q0 ... q3 of the
# principal frame, the momentum m1 ... m3 in it; J1, J2, J3 are the moments of inertia over the
# largest, `moments` their texts. `cut` says that this is only the beginning of the motion. With `stacked` the panels are above each other.
if (!exists('stacked')) { stacked = 0 }
if (!exists('time_size')) { time_size = 1; time_unit = '' }
width = stacked ? 640 : 1280
height = stacked ? 1300 : 720
load 'terminal.gp'
AXES = '#0072B2 #D55E00 #009E73'
FAINT_AXES = '#B8D6E8 #F4CDB3 #B3DFD2'
set print $circle
do for [i = 0:96] { print i * pi / 48 }
unset print

# The matrix of the attitude, and J^1/2 w = J^-1/2 m of length 1, of the row that was read.
array Q[4]
array M[3]
read(i) = (Q[4] = column('q0'), Q[1] = column('q1'), Q[2] = column('q2'), Q[3] = column('q3'))
R(i, k) = i == k ? 1 - 2 * (1 - Q[4] ** 2 - Q[i] ** 2) \
    : 2 * (Q[i] * Q[k] + (k == i % 3 + 1 ? -1 : 1) * Q[4] * Q[6 - i - k])
length_of(a, b, c) = larger(sqrt(a ** 2 + b ** 2 + c ** 2), 1e-300)
read_m(i) = (M[1] = column('m1') / sqrt(J1), M[2] = column('m2') / sqrt(J2), \
    M[3] = column('m3') / sqrt(J3), size_m = length_of(M[1], M[2], M[3]))
count = 0
rest = 0
set table $axis1 separator comma
plot $csv using (read(0), R(1, 1)):(R(2, 1)):(R(3, 1)) with table if (selected(0))
set table $axis2 separator comma
plot $csv using (read(0), R(1, 2)):(R(2, 2)):(R(3, 2)) with table if (selected(0))
set table $axis3 separator comma
plot $csv using (read(0), R(1, 3)):(R(2, 3)):(R(3, 3)) with table if (selected(0))
set table $polhode separator comma
plot $csv using (read_m(0), M[1] / size_m):(M[2] / size_m):(M[3] / size_m) with table \
    if (selected(0))
# The direction of the momentum in space, from the first row, and the times.
space_m(i) = (R(i, 1) * M[1] + R(i, 2) * M[2] + R(i, 3) * M[3]) / size_m
first(i) = (read(0), M[1] = column('m1'), M[2] = column('m2'), M[3] = column('m3'), \
    size_m = length_of(M[1], M[2], M[3]), rest = size_m <= 1e-300, \
    M1 = space_m(1), M2 = space_m(2), M3 = space_m(3), begin = column('t'), \
    read_m(0), U1 = M[1], U2 = M[2], U3 = M[3])
set table $unused
plot $csv using (selected(0) && count == 0 ? first(0) : 0, \
    selected(0) ? (count = count + 1, end = column('t')) : 0, 0) with table
unset table
unset datafile columnheaders

set multiplot
set size ratio -1
unset border
unset tics
panel_left = stacked ? 0.095 : 0.005 # square, where they are stacked
panel_right = stacked ? 0.905 : 0.495
set tmargin at screen stacked ? 0.968 : 0.925
set bmargin at screen stacked ? 0.57 : 0.125
key_top = stacked ? 0.578 : 0.12

# ---- the axes in space
set table $curve separator comma
plot for [k = 1:3] '$axis'.k using 1:2:3 with table
unset table
s1 = 1; s2 = 1; s3 = 1
views = 8
# In front is the axis next to the angular velocity at the start; of a symmetric body, its axis of symmetry.
symmetric = J1 == J2 ? 3 : J2 == J3 ? 1 : J1 == J3 ? 2 : 0
nearest_axis = symmetric ? symmetric : abs(U1) >= abs(U2) && abs(U1) >= abs(U3) ? 1 : abs(U2) >= abs(U3) ? 2 : 3
none = rest || (J1 == J2 && J2 == J3)
set table $unused
plot '$axis'.nearest_axis every ::::0 using (look1 = none ? 0 : $1, look2 = none ? 0 : $2, \
    look3 = none ? 0 : $3, 0) with table
unset table
heading = 'Paths of the three principal axes in space'
tags = 'x y z'
inks = '#555555 #555555 #555555'
faint_inks = '#BBBBBB #BBBBBB #BBBBBB'
load 'ellipsoid.gp'
momentum_front = facing(M1, M2, M3) >= 0
axis_title(k) = sprintf('axis %d, J = %s', k, word(moments, k))
plot $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with filledcurves closed fc rgb '#F6F8FA' notitle, \
    for [i = 0:10] $circle using (x_back(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.6 lc rgb '#E6EAEE' notitle, \
    for [k = 1:3] '$axis'.k using (x_back($1, $2, $3)):(along($1, $2, $3)) \
        with lines lw 1 lc rgb word(FAINT_AXES, k) notitle, \
    for [k = 1:3] '$axis'.k every ::::0 using (x_back($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 6 ps 1.3 * P lw 2.5 lc rgb word(FAINT_AXES, k) notitle, \
    for [i = 0:10] $circle using (x_front(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.7 lc rgb '#C3CBD3' notitle, \
    $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with lines lw 1.2 lc rgb '#98A2AC' notitle, \
    for [k = 1:3] '$axis'.k using (x_front($1, $2, $3)):(along($1, $2, $3)) \
        with lines lw (count > 2500 ? 1 : 2) lc rgb word(AXES, k) title axis_title(k), \
    for [k = 1:3] '$axis'.k every ::::0 using (x_front($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 7 ps 1.9 * P lw 2.5 lc rgb 'white' notitle, \
    for [k = 1:3] '$axis'.k every ::::0 using (x_front($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 7 ps 1.4 * P lw 2.5 lc rgb word(AXES, k) notitle, \
    $circle every ::::0 using (rest ? NaN : across(M1, M2, M3)):(along(M1, M2, M3)) \
        with points pt 2 ps 1.4 * P lw 2.5 lc rgb (momentum_front ? '#222222' : '#AAAAAA') \
        notitle, \
    for [i = 1:1 - rest] NaN with points pt 2 ps 1.2 * P lw 2 lc rgb '#222222' \
        title 'angular momentum, fixed', \
    NaN with points pt 7 ps 1.2 * P lw 2 lc rgb '#777777' title 'start'

# ---- the angular velocity in the body: semi-axes of w . J w = 2 T, the longest 1; beyond
# what can be seen they are drawn less unequal than they are
least = smaller(J1, smaller(J2, J3))
flattest = sqrt(least / larger(J1, larger(J2, J3)))
flatter = flattest < 0.25
power = flatter ? log(0.25) / log(flattest) : 1
s1 = sqrt(least / J1) ** power
s2 = sqrt(least / J2) ** power
s3 = sqrt(least / J3) ** power
views = 16
ahead(k, u) = none || k != nearest_axis ? 0 : u < 0 ? -1 : 1
look1 = ahead(1, U1); look2 = ahead(2, U2); look3 = ahead(3, U3)
if (stacked) {
    set tmargin at screen 0.453
    set bmargin at screen 0.055
    key_top = 0.075
} else {
    panel_left = 0.505
    panel_right = 0.995
}
heading = 'Polhode: angular velocity on the energy ellipsoid'
tags = "'axis 1' 'axis 2' 'axis 3'"
inks = AXES
faint_inks = FAINT_AXES
set table $curve separator comma
plot $polhode using (rest ? 0 : $1):(rest ? 0 : $2):(rest ? 0 : $3) with table
unset table
load 'ellipsoid.gp'
set label sprintf('t = %.6g', 1.0 * begin / time_size) \
    .(end != begin ? sprintf(' to %.6g', 1.0 * end / time_size) : '').time_unit.(cut ? ', only the beginning' : '').(rest ? '; the body is at rest' : '') \
    at screen 0.5, screen 32.0 / height center tc rgb '#555555' font ',12'
set label 'What is behind is faint.'.(flatter ? ' The axes of the ellipsoid are not to scale.' : '') \
    at screen 0.5, screen 14.0 / height center tc rgb '#555555' font ',12'

# The separatrix, sum J_i u_i^2 = J_middle with |u| = 1: two circles through the middle axis;
# a symmetric body has none.
middle = (J1 - J2) * (J1 - J3) < 0 ? 1 : (J2 - J1) * (J2 - J3) < 0 ? 2 \
    : (J3 - J1) * (J3 - J2) < 0 ? 3 : 0
moment(i) = i == 1 ? J1 : i == 2 ? J2 : J3
next(i) = i % 3 + 1
last(i) = (i + 1) % 3 + 1
part(i) = middle == 0 ? NaN : sqrt(abs((moment(i) - moment(middle)) \
    / (moment(next(middle)) - moment(last(middle)))))
circle(c, i, a) = middle == 0 ? NaN : i == middle ? cos(a) \
    : i == next(middle) ? part(last(middle)) * sin(a) : c * part(next(middle)) * sin(a)
plot $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with filledcurves closed fc rgb '#F6F8FA' notitle, \
    for [i = 0:10] $circle using (x_back(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.6 lc rgb '#E6EAEE' notitle, \
    for [c = -1:1:2] $circle using \
        (x_back(circle(c, 1, $1), circle(c, 2, $1), circle(c, 3, $1))): \
        (along(circle(c, 1, $1), circle(c, 2, $1), circle(c, 3, $1))) \
        with lines lw 0.8 dt 2 lc rgb '#D5DADF' notitle, \
    $polhode using (rest ? NaN : x_back($1, $2, $3)):(along($1, $2, $3)) \
        with lines lw 1.2 lc rgb '#DDBBD2' notitle, \
    $polhode every ::::0 using (rest ? NaN : x_back($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 6 ps 1.3 * P lw 2.5 lc rgb '#DDBBD2' notitle, \
    for [i = 0:10] $circle using (x_front(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.7 lc rgb '#C3CBD3' notitle, \
    $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with lines lw 1.2 lc rgb '#98A2AC' notitle, \
    for [c = -1:1:2] $circle using \
        (x_front(circle(c, 1, $1), circle(c, 2, $1), circle(c, 3, $1))): \
        (along(circle(c, 1, $1), circle(c, 2, $1), circle(c, 3, $1))) \
        with lines lw 1.2 dt 2 lc rgb '#6B747D' title (c < 0 && middle ? 'separatrix' : ''), \
    $polhode using (rest ? NaN : x_front($1, $2, $3)):(along($1, $2, $3)) with lines lw 2.6 \
        lc rgb '#8B1A6B' title (rest ? '' : 'angular velocity'), \
    $polhode every ::::0 using (rest ? NaN : x_front($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 7 ps 1.9 * P lw 2.5 lc rgb 'white' notitle, \
    $polhode every ::::0 using (rest ? NaN : x_front($1, $2, $3)):(along($1, $2, $3)) \
        with points pt 7 ps 1.4 * P lw 2.5 lc rgb '#8B1A6B' notitle, \
    for [i = 1:1 - rest] NaN with points pt 7 ps 1.2 * P lw 2 lc rgb '#777777' title 'start'
unset multiplot
