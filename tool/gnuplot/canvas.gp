# canvas.gp - begins a picture of `panels` panels, `columns` of them beside each other,
# with the styles of the curves in `names`. Lengths are in pixels.
PANEL_WIDTH = 510
LEFT = 110    # of a panel: its tics and its label
ABOVE = 92    # the title, and that of the panels
BETWEEN = 88  # two panels: tics, and the title of the next
BELOW = 78    # the last panels: their tics and their label
COLOUR_BOX = look eq 'map' ? 96 : 0
if (columns == 0) { columns = smaller(panels, 3) }
rows = (panels + columns - 1) / columns
panel_height = rows > 2 ? 260 : rows == 2 ? 360 : 500
column_width = LEFT + PANEL_WIDTH + COLOUR_BOX
longest = 0
do for [k = 1:words(names)] { longest = larger(longest, strlen(called(word(names, k)))) }
width = columns * column_width + (legend ? 95 + 9 * longest : 40)
height = ABOVE + rows * (panel_height + BETWEEN) - BETWEEN + BELOW \
    + (look eq 'bars' ? BELOW / 2 : 0)
load 'terminal.gp'
do for [k = 1:larger(1, words(names))] {
    eval sprintf("set style line %d lw 2 lc rgb %d dt %s pt %d ps %g", k, colour(k), \
        word(DASHES, dash(k) % words(DASHES) + 1), mark(k), size(k) * P)
}
set termoption enhanced
set multiplot
set border 3 lc rgb '#333333'
set tics nomirror
set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'
set style textbox opaque noborder fillcolor rgb 'white' margins 0.4,0.3
set palette defined (0 '#440154', 1 '#3B528B', 2 '#21908C', 3 '#5DC963', 4 '#FDE725')
