# sphere.gp - a panel of a stack: on the unit sphere in space the paths of `paths` unit vectors,
# three columns each after the first of $paths: `axes` of a body, or else vectors of a system, of
# which `hidden` are not drawn. The paths end at `path_time`, the run goes from `first_time` to
# `last_time`. What is behind is faint. `coarse`: the rows are so far apart that they are drawn as points.
tall = picture_tall
heading = !axes ? 'Paths on the sphere' : paths == 1 ? 'Path of axis 3 in space' : 'Paths of the axes in space'
note = sprintf('t = %.4g to %.4g%s%s; what is behind is faint', 1.0 * first_time / time_size, 1.0 * path_time / time_size, \
    time_unit, path_time != last_time ? ', the beginning' : '')
if (coarse) { note = note.'; the rows are too far apart for a line' }
if (hidden > 0) { note = note.sprintf('; %d others are not drawn', hidden) }
names = ''
do for [k = 1:paths] {
    names = names.(axes ? sprintf('"axis %d" ', paths == 1 ? 3 : k) : sprintf('q%d ', k))
}
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset logscale
set size ratio -1
set tmargin at screen screen_y(top + 40)
key_rows = paths > 2 ? 3 : 1
below = 56 + 22 * key_rows
set bmargin at screen screen_y(top + tall - below)
panel_left = middle_x - 0.5 * (tall - 40.0 - below) / width # square
panel_right = middle_x + 0.5 * (tall - 40.0 - below) / width
key_top = screen_y(top + tall - below + 4)
set print $circle
do for [i = 0:96] { print i * pi / 48 }
unset print
stats $paths using 1 nooutput
count = STATS_records * paths
set table $curve separator comma
plot for [k = 1:paths] $paths using (column(3 * k - 1)):(column(3 * k)):(column(3 * k + 1)) with table
unset table
s1 = 1; s2 = 1; s3 = 1
views = 8
look1 = 0; look2 = 0; look3 = 0
tags = 'x y z'
inks = '#555555 #555555 #555555'
faint_inks = '#BBBBBB #BBBBBB #BBBBBB'
load 'ellipsoid.gp'
set title heading noenhanced font ',16' offset 0,-0.4
if (!titled) {
    set label 99 caption_text at screen 0.5, screen 1 - 20.0 / height center noenhanced font caption_font
}
titled = 1
set label 98 note at screen middle_x, screen screen_y(top + tall - 10) center noenhanced \
    font sprintf(',%.1f', font_for(note, 14, picture_wide - 16)) tc rgb '#555555'
faint(k) = shade(int(word(COLOURS, (k - 1) % words(COLOURS) + 1)), 0.7)
ink_of(k) = int(word(COLOURS, (k - 1) % words(COLOURS) + 1))
x_of(k) = column(3 * k - 1)
y_of(k) = column(3 * k)
z_of(k) = column(3 * k + 1)
thick = count > 3000 ? 1.1 : 2
plot $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with filledcurves closed fc rgb '#F6F8FA' notitle, \
    for [i = 0:10] $circle using (x_back(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.6 lc rgb '#E6EAEE' notitle, \
    for [k = 1:paths] $paths using (coarse ? NaN : x_back(x_of(k), y_of(k), z_of(k))):(along(x_of(k), y_of(k), z_of(k))) \
        with lines lw 1 lc rgb faint(k) notitle, \
    for [k = 1:paths * coarse] $paths using (x_back(x_of(k), y_of(k), z_of(k))):(along(x_of(k), y_of(k), z_of(k))) \
        with points pt 7 ps 0.5 * P lc rgb faint(k) notitle, \
    for [i = 0:10] $circle using (x_front(g1(i, $1), g2(i, $1), g3(i, $1))): \
        (along(g1(i, $1), g2(i, $1), g3(i, $1))) with lines lw 0.7 lc rgb '#C3CBD3' notitle, \
    $circle using (across(e1($1), e2($1), e3($1))):(along(e1($1), e2($1), e3($1))) \
        with lines lw 1.2 lc rgb '#98A2AC' notitle, \
    for [k = 1:paths] $paths using (coarse ? NaN : x_front(x_of(k), y_of(k), z_of(k))):(along(x_of(k), y_of(k), z_of(k))) \
        with lines lw thick lc rgb ink_of(k) title word(names, k), \
    for [k = 1:paths * coarse] $paths using (x_front(x_of(k), y_of(k), z_of(k))):(along(x_of(k), y_of(k), z_of(k))) \
        with points pt 7 ps 0.7 * P lc rgb ink_of(k) notitle, \
    for [k = 1:paths] $paths every ::::0 using (across(x_of(k), y_of(k), z_of(k))):(along(x_of(k), y_of(k), z_of(k))) \
        with points pt 7 ps 1.4 * P lc rgb ink_of(k) notitle, \
    NaN with points pt 7 ps 1.2 * P lc rgb '#777777' title 'start'
unset label
unset arrow
unset key
unset title
top = beside ? 40 : top + tall
