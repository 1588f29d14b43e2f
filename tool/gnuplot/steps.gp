# steps.gp - the error of the energy over step times rate, for `polhode check --steps`: a curve for the
# body of the printed table, the rows of $csv without a shape; below it, if other shapes were scanned, a map
# of the errors over step and shape. `own_shape` is the shape of the body of the table, `own_text` its name.
load 'begin.gp'
HALF = 2 ** (1 / 32.0) # half of the distance of two steps: 16 of them are an octave
HALF_SHAPE = 1 / 48.0  # of 25 shapes
LOST = '#B9BEC4'
of_shape(i) = is_finite(column('shape'))
map = 0
least_error = 1
left = 1e301
right = 0
set table $unused
plot $csv using (of_shape(0) ? (map = 1) : 0, left = smaller(left, column('turn')), \
    right = larger(right, column('turn')), \
    column('error') > 1e-16 ? (least_error = smaller(least_error, column('error'))) : 0, 0) with table
unset table
lowest = smaller(-3, int(floor(log10(least_error))))
width = 900
height = map ? 930 : 490
load 'terminal.gp'
set termoption enhanced
set multiplot
set label 99 caption_text at screen 0.5, screen 1 - 24.0 / height center noenhanced font caption_font
set border 3 lc rgb '#333333'
set tics out nomirror
set logscale xy
set format x '%g'
set format y '10^{%T}'
set xrange [left / HALF:right * HALF]
set yrange [10.0 ** lowest:1]
if (lowest < -9) { set ytics 1e-30, 100 } else { set ytics 1e-30, 10 }
set mytics 1
set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'
set ylabel 'relative error of the energy'
xlabel_text = 'step times rate (rad)'
if (map) { set xlabel '' } else { set xlabel xlabel_text }
set lmargin at screen 110.0 / width
set rmargin at screen 1 - 130.0 / width
set tmargin at screen 1 - 84.0 / height
set bmargin at screen (map ? 1 - 360.0 / height : 80.0 / height)
set title 'The body of the table: '.own_text noenhanced font ',15'
# Errors above a tenth lie on grey, those above 1 at the upper edge.
set object 1 rectangle from graph 0, first 0.1 to graph 1, first 1 behind fc rgb LOST fs solid noborder
set label 1 'the energy is lost' at graph 0.015, first 0.316 left font ',13' front
own(e) = of_shape(0) ? NaN : smaller(0.9, larger(e, 10.0 ** lowest))
plot $csv using (column('turn')):(own(column('error'))) with linespoints pt 7 ps 0.45 * P lw 1.4 \
    lc rgb '#005A9E' notitle
if (map) {
    unset label
    unset object
    unset grid
    set title 'Other shapes, with the same smallest and largest moment of inertia' font ',15'
    set xlabel xlabel_text
    set ylabel '({/:Italic J}_2 - {/:Italic J}_1) / ({/:Italic J}_3 - {/:Italic J}_1)'
    unset logscale y
    set yrange [-HALF_SHAPE:1 + HALF_SHAPE]
    set ytics 0, 0.2
    set format y '%g'
    # The upper end of the palette is grey: lost.
    ending = larger(0, -1 - 0.15 * lowest)
    set palette defined (lowest '#440154', 0.75 * lowest - 0.25 '#3B528B', 0.5 * lowest - 0.5 '#21908C', \
        0.25 * lowest - 0.75 '#5DC963', -1 '#FDE725', -1 LOST, ending LOST)
    set cbrange [lowest:ending]
    set cbtics lowest, (lowest < -9 ? 2 : 1), -1
    set cbtics add ('lost' 0.5 * ending - 0.5)
    set format cb '10^{%g}'
    set cblabel 'relative error of the energy' offset 0.6,0
    set tmargin at screen 1 - 450.0 / height
    set bmargin at screen 80.0 / height
    set colorbox user origin screen 1 - 112.0 / width, screen 80.0 / height size screen 18.0 / width, \
        screen 1 - 530.0 / height
    if (is_finite(own_shape)) {
        set arrow 1 from graph 0, first own_shape to graph 1, first own_shape nohead front lw 1.6 dt (6,4) \
            lc rgb '#000000'
        set style textbox opaque noborder fillcolor rgb 'white' margins 0.6,0.4
        set label 1 'the body of the table' at graph 0.012, first own_shape left \
            offset 0,(own_shape > 0.9 ? -1 : 1) front boxed font ',13'
    }
    # A box reaches under those that are drawn later: the page does not show through between them.
    tone(e) = e < 0.1 ? larger(lowest, log10(larger(e, 1e-300))) : ending
    plot $csv using (of_shape(0) ? column('turn') : NaN):(column('shape')):(column('turn') / HALF): \
        (column('turn') * HALF ** 2):(column('shape') - HALF_SHAPE): \
        (column('shape') + 2 * HALF_SHAPE):(tone(column('error'))) \
        with boxxyerror fs solid noborder lc palette notitle
}
unset multiplot
