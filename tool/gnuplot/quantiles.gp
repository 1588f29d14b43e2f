# quantiles.gp - a picture of many motions: of each column the band between two quantiles over
# time, with the median, in a panel of its own. The times are called `time_text`.
series = 'run'
load 'names.gp'
runs = names
names = ''
panels = words(runs)
columns = panels > 4 ? 2 : 1
legend = 0
load 'canvas.gp'
series = ''
look = 'band'
xcol = 't'
ycol = 'low'
high = 'high'
xtext = time_text
median = 'middle'
selected(i) = strcol('run') eq heading
do for [j = 1:panels] {
    heading = word(runs, j)
    load 'panel.gp'
}
unset multiplot
