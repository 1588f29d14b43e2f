# bands.gp - a picture of long runs: the energy of each, from the lowest to the highest of a
# block, in a panel of its own, two beside each other or three.
series = 'run'
load 'names.gp'
runs = names
names = ''
panels = words(runs)
columns = panels == 3 ? 3 : 2
legend = 0
load 'canvas.gp'
series = ''
look = 'band'
xcol = 't'
ycol = 'low'
high = 'high'
selected(i) = strcol('run') eq heading
do for [j = 1:panels] {
    heading = word(runs, j)
    load 'panel.gp'
}
unset multiplot
