# cloud.gp - a panel of a stack: bodies in space at `cloud_time`, the rows of $cloud: place (3) and a
# vector (3) that shows how each is turned, `reach` long at most. Seen from above at an angle; those
# behind are pale.
tall = picture_tall
heading = 'Bodies, and where their dipoles point'
note = sprintf('%d bodies at t = %.6g%s; those behind are pale', bodies, 1.0 * cloud_time / time_size, time_unit)
unset border
unset tics
unset grid
unset xlabel
unset ylabel
unset logscale
unset key
unset arrow
set size ratio -1
set lmargin at screen middle_x - 0.5 * (tall - 80.0) / width # square
set rmargin at screen middle_x + 0.5 * (tall - 80.0) / width
set tmargin at screen screen_y(top + 40)
set bmargin at screen screen_y(top + tall - 40)
set title heading noenhanced font ',16' offset 0,-0.4
if (!titled) {
    set label 99 caption_text at screen 0.5, screen 1 - 20.0 / height center noenhanced font caption_font
}
titled = 1
set label 98 note at screen middle_x, screen screen_y(top + tall - 14) center noenhanced \
    font sprintf(',%.1f', font_for(note, 14, picture_wide - 16)) tc rgb '#555555'
azimuth = 35 * pi / 180
elevation = 22 * pi / 180
right_of(x, y, z) = -sin(azimuth) * x + cos(azimuth) * y
up_of(x, y, z) = -sin(elevation) * (cos(azimuth) * x + sin(azimuth) * y) + cos(elevation) * z
near_of(x, y, z) = cos(elevation) * (cos(azimuth) * x + sin(azimuth) * y) + sin(elevation) * z
stats $cloud using (near_of($1, $2, $3)) nooutput
nearest_body = STATS_max
depth = larger(STATS_max - STATS_min, 1e-300)
part_of(x, y, z) = 0.75 * (nearest_body - near_of(x, y, z)) / depth
blue(x, y, z) = shade(0x005A9E, part_of(x, y, z))
orange(x, y, z) = shade(0xC44E00, part_of(x, y, z))
stats $cloud using (right_of($1, $2, $3)):(up_of($1, $2, $3)) nooutput
half = larger(reach, 0.56 * larger(STATS_max_x - STATS_min_x, STATS_max_y - STATS_min_y) + reach)
middle_x = 0.5 * (STATS_max_x + STATS_min_x)
middle_y = 0.5 * (STATS_max_y + STATS_min_y)
set xrange [middle_x - half:middle_x + half]
set yrange [middle_y - half:middle_y + half]
plot $cloud using (right_of($1, $2, $3)):(up_of($1, $2, $3)):(blue($1, $2, $3)) \
        with points pt 7 ps 1.6 * P lc rgb variable notitle, \
    $cloud using (right_of($1, $2, $3)):(up_of($1, $2, $3)):(reach * right_of($4, $5, $6)): \
        (reach * up_of($4, $5, $6)):(orange($1, $2, $3)) \
        with vectors head filled size screen 0.012,22 lw 1.6 lc rgb variable notitle
unset label
unset title
top = beside ? 40 : top + tall
