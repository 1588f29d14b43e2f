# panel.gp - the next panel: `heading`, labels `xtext`, `ytext`, `ztext`, and the rows of
# $csv with selected(0), as curves of the words in the column `series`; see begin.gp.
logx = strstrt(logarithmic, 'x') > 0
logy = strstrt(logarithmic, 'y') > 0
shown(a, logscale) = is_finite(a) && (!logscale || a > 1e-300)
bars = look eq 'bars'
map = look eq 'map'
xvalue(i) = bars ? 1 : logx ? abs(column(xcol)) : column(xcol)
yvalue(i) = column(ycol) < least ? least : column(ycol)
drawn(i) = shown(xvalue(0), logx) && shown(yvalue(0), logy)

# What the points need: x also where there is nothing to draw.
left = 1e301; right = -1e301; bottom = 1e301; top = -1e301
widen_x(a) = (left = smaller(left, a), right = larger(right, a))
widen_y(a) = (bottom = smaller(bottom, a), top = larger(top, a))
set table $unused
plot $csv using (selected(0) && shown(xvalue(0), logx) ? widen_x(xvalue(0)) : 0, \
    selected(0) && drawn(0) ? widen_y(yvalue(0)) : 0, \
    look eq 'band' && selected(0) && drawn(0) && shown(column(high), logy) \
    ? widen_y(column(high)) : 0, 0) with table
unset table
if (round_off > 0) { bottom = smaller(bottom, 0.1 * round_off); top = larger(top, 10 * round_off) }
if (bars) { left = -0.7; right = words(names) - 0.3 }
if (bars && !logy) { bottom = smaller(bottom, 0); top = larger(top, 0) }
base = bottom

# Some air around them; of nothing, something to draw.
if (left > right) { left = logx ? 0.1 : 0; right = logx ? 10 : 1 }
if (bottom > top) { bottom = logy ? 0.1 : 0; top = logy ? 10 : 1 }
air(low, top, logscale, part) = logscale ? (top / low) ** part * (top > low ? 1 : 2) \
    : top > low ? part * (top - low) : larger(0.1 * abs(top), 1e-300)
space = air(left, right, logx, map || bars ? 0 : 0.03)
if (xlow < xhigh) { left = xlow; right = xhigh } else {
    left = logx ? left / space : left - space
    right = logx ? right * space : right + space
}
space = air(bottom, top, logy, map ? 0 : 0.05)
if (ylow < yhigh) { bottom = ylow; top = yhigh } else {
    # bars stand on the axis
    bottom = bars && !logy ? base : logy ? bottom / space : bottom - space
    top = logy ? top * space : top + space
}

# The place, the axes and their labels; a panel leaves its label to the one below it.
unset label
unset arrow
unset object
unset key
x0 = LEFT + panel % columns * column_width
y0 = ABOVE + panel / columns * (panel_height + BETWEEN)
set lmargin at screen 1.0 * x0 / width
set rmargin at screen 1.0 * (x0 + PANEL_WIDTH) / width
set tmargin at screen 1 - 1.0 * y0 / height
set bmargin at screen 1 - 1.0 * (y0 + panel_height) / height
set title called(heading) noenhanced font ',16'
xlabel_text = panel + columns < panels ? '' : xtext
set xlabel xlabel_text
set ylabel ytext offset 0.4,0
unset logscale
set xrange [left:right]
set yrange [bottom:top]
set xtics norotate auto
set ytics auto
set mxtics default
set mytics default
set format x '%.8g'
set format y '%.8g'
if (logx) {
    set logscale x
    axis = 'x'; low = left; end = right
    load 'log_tics.gp'
}
if (logy) {
    set logscale y
    axis = 'y'; low = bottom; end = top
    load 'log_tics.gp'
}
if (panel == 0) {
    middle = LEFT + 0.5 * ((columns - 1) * column_width + PANEL_WIDTH) # of the panels
    half = 0.5 * LETTER * strlen(caption_text) * font_for(caption, 17, width - 24)
    middle = larger(half + 12, smaller(width - half - 12, middle)) # within the picture
    set label 99 caption_text at screen middle / width, screen 1 - 26.0 / height center \
        noenhanced font caption_font
}

# Below `round_off` all is noise; its label stands where few curves end.
if (round_off > 0) {
    middle = logx ? sqrt(left * right) : 0.5 * (left + right)
    balance = 0
    set table $unused
    plot $csv using (selected(0) && drawn(0) && yvalue(0) < 10 * round_off ? \
        (balance = balance + (xvalue(0) > middle ? 1 : -1)) : 0, 0) with table
    unset table
    set object 1 rectangle from graph 0, first bottom to graph 1, first round_off behind \
        fillcolor rgb '#F0F1F3' fillstyle solid noborder
    if (balance > 0) {
        set label 1 'round-off' at graph 0.015, first 0.45 * round_off left font ',12' \
            textcolor rgb '#777777'
    } else {
        set label 1 'round-off' at graph 0.985, first 0.45 * round_off right font ',12' \
            textcolor rgb '#777777'
    }
}

# Lines of the slopes, each just above a curve that it belongs to, from its largest x on, where the
# fewest points of other curves are; the number stands at the end.
if (slopes ne '') {
    wide = log(right / left)
    tall = log(top / bottom)
    lift = exp(0.035 * tall)
    tell(c) = selected(0) && (series eq '' || strcol(series) eq word(names, c)) && drawn(0) \
        && yvalue(0) > round_off
    sum(x, y) = (n = n + 1, sx = sx + x, sy = sy + y, sxx = sxx + x ** 2, sxy = sxy + x * y, \
        x0 < exp(x) ? (x0 = exp(x), y0 = exp(y)) : 0, x1 = smaller(x1, exp(x)))
    do for [slope in slopes] {
        fewest = 1e301
        do for [c = 1:(series eq '' ? 1 : words(names))] {
            n = 0; sx = 0.0; sy = 0.0; sxx = 0.0; sxy = 0.0; x0 = 0; x1 = 1e301; y0 = 0
            set table $unused
            plot $csv using (tell(c) ? sum(log(xvalue(0)), log(yvalue(0))) : 0, 0) with table
            unset table
            steepness = n > 1 && x1 < x0 ? (n * sxy - sx * sy) / (n * sxx - sx ** 2) : NaN
            x1 = larger(x1, larger(x0 * exp(-0.4 * wide), left * exp(0.15 * wide)))
            near = 0
            if (steepness == steepness && x1 < x0 && of_order(c, int(slope), steepness)) {
                set table $unused
                plot $csv using (selected(0) && drawn(0) && xvalue(0) > x1 * exp(-0.15 * wide) && xvalue(0) < 1.05 * x0 \
                    && abs(log(yvalue(0) / (y0 * lift * (larger(x1, xvalue(0)) / x0) ** slope))) < 0.03 * tall \
                    ? (near = near + 1) : 0, 0) with table
                unset table
                if (near < fewest) { fewest = near; from_x = x0; from_y = y0 * lift; to_x = x1 }
            }
        }
        if (fewest < 1e300) {
            to_y = from_y * (to_x / from_x) ** slope
            set arrow from from_x,from_y to to_x,to_y nohead back lw 1.4 lc rgb '#6B747D'
            set label 10 + slope 'slope '.slope at to_x * exp(-0.01 * wide),to_y right front font ',12' \
                textcolor rgb '#5F6870'
        }
    }
}

# Where a band ends because what it shows became infinite.
if (look eq 'band') {
    lost = 0
    before = 0
    set table $unused
    plot $csv using (selected(0) && before && abs(yvalue(0)) > 1e300 ? (lost = 1) : 0, lost \
        || !selected(0) ? 0 : (before = drawn(0), lost_x = xvalue(0), lost_y = column(high)), 0) \
        with table
    unset table
    if (lost) {
        set label 'blew up' at lost_x,lost_y left offset 0.7,0 front font ',12' \
            textcolor rgb '#777777'
    }
}

curves = series eq '' ? 1 : words(names)
number(c) = series eq '' ? style : c
of(c) = selected(0) && (series eq '' || strcol(series) eq word(names, c)) && drawn(0)
xof(c) = of(c) ? xvalue(0) : NaN
yof(c) = of(c) ? yvalue(0) : NaN
if (look eq 'marked' && blown) {
    lost(c) = selected(0) && (series eq '' || strcol(series) eq word(names, c)) \
        && shown(xvalue(0), logx) && !is_finite(column(ycol))
    any = 0
    set table $unused
    plot for [c = 1:curves] $csv using (lost(c) ? (any = 1) : 0, 0) with table
    unset table
    if (any) {
        set label 'blew up' at graph 0.5, graph 0.965 center front font ',12' \
            textcolor rgb '#777777'
    }
    plot for [c = 1:curves] $csv using (xof(c)):(yof(c)) with linespoints ls number(c) \
        notitle, for [c = 1:curves] $csv using (lost(c) ? xvalue(0) : NaN):(top) with \
        points ls number(c) lw 2 notitle, NaN notitle
} else { if (look eq 'marked') {
    plot for [c = 1:curves] $csv using (xof(c)):(yof(c)) with linespoints ls number(c) \
        notitle, NaN notitle
} }
if (look eq 'line') {
    plot for [c = 1:curves] $csv using (xof(c)):(yof(c)) with lines ls number(c) notitle, \
        NaN notitle
}
if (look eq 'points') {
    plot for [c = 1:curves] $csv using (xof(c)):(yof(c)) with points ls number(c) lw 1 \
        notitle, NaN notitle
}
if (look eq 'dots') {
    plot for [c = 1:curves] $csv using (xof(c)):(yof(c)) with points ls number(c) lw 1 pt 7 \
        ps 0.35 * P notitle, NaN notitle
}
# A band, and its edges: one as thin as a line is to be seen, too.
if (look eq 'band') {
    set table $band separator comma
    plot $csv using (xof(1)):(yof(1)):(column(high)):(column(median eq '' ? high : median)) \
        with table if (selected(0))
    unset table
    unset datafile columnheaders
    plot $band using 1:2:3 with filledcurves ls number(1) fs solid (median eq '' ? 0.6 : 0.25) \
        noborder notitle, for [edge = 2:3] $band using 1:edge with lines ls number(1) \
        lw (median eq '' ? 1.2 : 0.6) dt 1 notitle, \
        $band using 1:(median eq '' ? NaN : $4) with lines ls number(1) lw 2.2 notitle, \
        NaN notitle
    set datafile columnheaders
}
if (bars) {
    marked = ''
    do for [c = 1:curves] {
        marked = marked.sprintf("%s'%s' %d", c == 1 ? '' : ', ', called(word(names, c)), c - 1)
    }
    eval 'set xtics noenhanced rotate by -35 ('.marked.')'
    set boxwidth 0.7
    plot for [c = 1:curves] $csv using (c - 1):(yof(c)) with boxes fs solid 0.85 noborder \
        ls number(c) notitle, NaN notitle
}
if (map) {
    unset grid
    set colorbox user origin screen 1.0 * (x0 + PANEL_WIDTH + 14) / width, \
        screen 1 - 1.0 * (y0 + panel_height) / height size screen 16.0 / width, \
        screen 1.0 * panel_height / height
    set cbrange [zlow:zhigh]
    set cblabel ztext
    set table $map separator comma
    plot $csv using (column(xcol)):(column(ycol)): \
        (is_finite(column(high)) ? column(high) : NaN) with table if (selected(0))
    unset table
    unset datafile columnheaders
    plot $map using 1:2:3 with image notitle
    set datafile columnheaders
}
panel = panel + 1
