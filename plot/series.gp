# series.gp - a panel of a stack: the columns `first` to `first + count - 1` of $rows over the
# first one, the time. `heading` is above, `names` are theirs in the legend. `logscale`: their sizes, zeros
# left out; `jump`: a curve that goes further from row to row, as an angle at the
# end of its range, is not drawn there, unless 0. The first `marks` columns are marks. `lowest` says that it is the last of the stack.
tall = 236 + (lowest ? 26 : 0)
unset border
unset tics
unset arrow
unset object
set size noratio
set border 3 lc rgb '#333333'
set tics nomirror font ',14'
set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'
set lmargin at screen 104.0 / width
set rmargin at screen 1 - 24.0 / width
set tmargin at screen screen_y(top + (count > 1 ? 58 : 40))
set bmargin at screen screen_y(top + tall - (lowest ? 52 : 26))
unset title
unset label
set label 1 heading at graph 0, graph 1 left offset 0,(count > 1 ? 1.7 : 0.75) noenhanced \
    font ',16'
if (!titled) {
    set label 99 caption at screen 0.5, screen 1 - 20.0 / height center noenhanced font ',17'
}
titled = 1
set xlabel (lowest ? 't' : '') noenhanced font ',15' offset 0,0.4
set ylabel ''
unset logscale
set autoscale
set xrange [*:*] noextend
set format x '%.8g'
set format y '%.8g'
set ytics auto
set key default
set key at graph 1, graph 1 right bottom horizontal noenhanced samplen 1.5 font ',14' maxrows 1
if (count == 1) { unset key }
least_y = 1e301
most_y = -1e301
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
    plot for [c = 1:count] $rows using 1:(log_y(column(first + c - 1))) with lines lw 1.4 \
        lc rgb colour(c) title word(names, c)
    set termoption noenhanced
}
if (!logscale) {
    if (exists('marks')) {
        plot for [c = 1:count] $rows using 1:(c <= marks ? column(first + c - 1) : NaN) with points \
            pt 7 ps 0.45 * P lc rgb colour(c) title (c <= marks ? word(names, c) : ''), \
            for [c = 1:count] $rows using 1:(c > marks ? column(first + c - 1) : NaN) with lines \
            lw 1.6 lc rgb colour(c) title (c > marks ? word(names, c) : '')
    } else {
        plot for [c = 1:count] $rows using 1:(drawn_y(c, column(first + c - 1))) with lines lw 1.6 \
            lc rgb colour(c) title word(names, c)
    }
}
unset logscale
unset label
top = top + tall
