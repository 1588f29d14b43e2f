# legend.gp - the names of the curves, in a panel of its own as high as the picture; ends the
# picture.
if (legend) {
    unset label
    unset object
    unset arrow
    unset title
    unset xlabel
    unset ylabel
    unset border
    unset tics
    unset logscale
    unset grid
    unset colorbox
    set xrange [0:1]
    set yrange [0:1]
    set tmargin at screen 1
    set bmargin at screen 0
    set key at screen 0.995, screen 1 - 80.0 / height right top vertical Left reverse \
        noenhanced samplen 4 spacing 1.25 * smaller(1, (height - ABOVE) / 20.0 / words(names))
    if (look eq 'marked') {
        plot for [c = 1:words(names)] NaN with linespoints ls c title called(word(names, c))
    }
    if (look eq 'line') {
        plot for [c = 1:words(names)] NaN with lines ls c title called(word(names, c))
    }
    if (look eq 'points') {
        plot for [c = 1:words(names)] NaN with points ls c lw 1 title called(word(names, c))
    }
}
unset multiplot
