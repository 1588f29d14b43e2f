# series.gp - a panel of a stack: the columns `first` to `first + count - 1` of $rows over the
# first one, the time. `heading` is above, `names` are theirs in the legend. `logscale`: their sizes, zeros
# left out; `jump`: a curve that goes further from row to row, as an angle at the
# end of its range, is not drawn there, unless 0. The first `marks` columns are marks. `lowest` says that it is the last of the stack.
# The time is in units of `time_size`, called `time_text`.
tall = panel_tall
across = 1.0 / (beside ? 2 : columns_of)
panel_x = beside ? 0.5 : across * (nth % columns_of)
bottom_row = lowest || nth + columns_of >= panels
top_row = nth < columns_of
unset border
unset tics
unset arrow
unset object
set size noratio
set border 3 lc rgb '#333333'
set tics nomirror font ',14'
set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'
set lmargin at screen panel_x + 104.0 / width
set rmargin at screen panel_x + across - 24.0 / width
set tmargin at screen screen_y(top + (count > 1 ? 58 : 40))
set bmargin at screen screen_y(top + tall - 26)
wide_x = across * width - 128.0 # pixels
tall_y = tall - 26 - (count > 1 ? 58 : 40)
unset title
unset label
set label 1 heading at graph 0, graph 1 left offset 0,(count > 1 ? 1.7 : 0.75) noenhanced \
    font ',16'
if (!titled) {
    set label 99 caption_text at screen 0.5, screen 1 - 20.0 / height center noenhanced font caption_font
}
titled = 1
set xlabel (bottom_row ? time_text : '') noenhanced font ',15' offset 0,0.4
set ylabel ''
unset logscale
set autoscale
set xrange [*:*] noextend
set format x '%.8g'
set format y '%.8g'
set ytics nomirror auto
# As many tics as their numbers have room for.
stats $rows using ($1 / time_size) nooutput
first_x = STATS_min; last_x = STATS_max
letters = 2
do for [try = 1:2] {
    step_x = tic_step(first_x, last_x, larger(2, floor(wide_x / (9.0 * letters + 16))))
    letters = larger(strlen(sprintf('%.8g', step_x * floor(last_x / step_x))), \
        larger(strlen(sprintf('%.8g', step_x * ceil(first_x / step_x))), strlen(sprintf('%.8g', step_x))))
}
step_x = tic_step(first_x, last_x, larger(2, floor(wide_x / (9.0 * letters + 16))))
if (last_x > first_x) { set xtics nomirror step_x } else { set xtics nomirror auto }
if (jump > 0) {
    least_y = 1e301; most_y = -1e301
    set table $unused
    plot for [c = 1:count] $rows using (least_y = smaller(least_y, column(first + c - 1)), \
        most_y = larger(most_y, column(first + c - 1)), 0) with table
    unset table
    if (most_y - least_y > jump) { # a range of angles, by quarters of a turn
        set yrange [(least_y < -0.02 * jump ? -jump : 0):(most_y > 0.02 * jump ? jump : 0)]
        if (jump > 4) { set ytics nomirror 90 } else {
            set ytics nomirror ('-π' -pi, '-π/2' -pi / 2, '0' 0, 'π/2' pi / 2, 'π' pi)
        }
    }
}
unset key
lined(c) = c > words(COLOURS) ? 2 : 1 # colours that come again are dashed
# The names, in the colours of their curves, to the left of the upper right corner: as large as there is
# room for.
letters = 0
do for [c = 1:count] { letters = letters + strlen(word(names, c)) + 4 }
letter = smaller(8.6, (wide_x + 60) / letters)
if (count > 1) {
    right_x = 1.0
    do for [k = 1:count] {
        c = count + 1 - k
        entry = (lined(c) > 1 ? "┄ " : "— ").word(names, c)
        set label 10 + c entry at graph right_x, graph 1 right offset 0,0.75 noenhanced \
            font sprintf(',%.1f', 13 * letter / 8.6) textcolor rgb colour(c)
        right_x = right_x - letter * (strlen(word(names, c)) + 4) / wide_x
    }
}
least_y = 1e301
most_y = -1e301
by_time(i) = column(1) / time_size
array before[16]
do for [c = 1:16] { before[c] = NaN }
steps_over(c, y) = jump > 0 && before[c] == before[c] && abs(y - before[c]) > jump
drawn_y(c, y) = (skip = steps_over(c, y), before[c] = y, skip ? NaN : y)
# zeros have no logarithm
log_y(y) = abs(y) > 0 ? abs(y) : NaN
if (logscale) {
    set table $unused
    plot for [c = 1:count] $rows using (abs(column(first + c - 1)) > 0 ? \
        (least_y = smaller(least_y, abs(column(first + c - 1))), \
        most_y = larger(most_y, abs(column(first + c - 1)))) : 0, 0) with table
    unset table
    if (least_y > most_y) { least_y = 1e-17; most_y = 1e-16 }
    set logscale y
    bottom = least_y / 2
    end = larger(most_y * 2, bottom * 100)
    set yrange [bottom:end]
    axis = 'y'; low = bottom
    set termoption enhanced
    load 'log_tics.gp'
    plot for [c = 1:count] $rows using (by_time(0)):(log_y(column(first + c - 1))) with lines lw 1.4 \
        lc rgb colour(c) dt lined(c) notitle
    set termoption noenhanced
}
if (!logscale) {
    if (exists('marks')) {
        plot for [c = 1:count] $rows using (by_time(0)):(c <= marks ? column(first + c - 1) : NaN) with points \
            pt 7 ps 0.45 * P lc rgb colour(c) notitle, \
            for [c = 1:count] $rows using (by_time(0)):(c > marks ? column(first + c - 1) : NaN) with lines \
            lw 1.6 lc rgb colour(c) notitle
    } else {
        plot for [c = 1:count] $rows using (by_time(0)):(drawn_y(c, column(first + c - 1))) with lines lw 1.6 \
            lc rgb colour(c) dt lined(c) notitle
    }
}
unset logscale
unset label
nth = nth + 1
if (beside || nth % columns_of == 0) { top = top + tall }
