# celledoni_triangle.gp - the digits over the shapes of the body, a map for each method; of
# figure 8 only those of the short step.
load 'papers.gp'
step = 0
set table $unused
plot $csv using (step = step == 0 ? column('h') : step, 0) with table
unset table
selected(i) = column('h') == step
series = 'method'
load 'names.gp'
methods = names
names = ''
look = 'map'
legend = 0
panels = words(methods)
load 'canvas.gp'
xcol = 'x'
ycol = 'y'
high = 'digits'
xtext = 'I_1/I_3'
ytext = 'I_2/I_3'
ztext = 'digits'
xlow = 0; xhigh = 1; ylow = 0.5; yhigh = 1; zlow = 0; zhigh = 16
series = ''
selected(i) = column('h') == step && strcol('method') eq heading
do for [j = 1:panels] {
    heading = word(methods, j)
    load 'panel.gp'
}
unset multiplot
