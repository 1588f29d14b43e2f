# hairer_vilmart_figure1.gp - errors over the computing time, a row for each body.
load 'papers.gp'
PAPERS = 'dmv2 DMV dmv4 DMV4 dmv6 DMV6 dmv8 DMV8 imr2 IMR2 imr4 IMR4 imr6 IMR6 jem2 JEM2 \
    jem4 JEM4 sr2 SR2 sr4 SR4 sr6 SR6'
blown = 1
series = 'method'
load 'names.gp'
orders = ''
do for [k = 1:words(names)] {
    name = word(names, k)
    orders = orders.name[strlen(name):*].' '
}
load 'families.gp'
columns = 2
panels = 4
load 'canvas.gp'
logarithmic = 'xy'
xcol = 'seconds'
xtext = 'computing time in seconds'
ylow = 1e-16; yhigh = 10
selected(i) = strcol('body') eq body
do for [j = 0:3] {
    body = j < 2 ? 'asymmetric' : 'water'
    heading = (j < 2 ? 'Asymmetric body' : 'Water molecule').(j % 2 ? ': attitude' : ': momentum')
    ycol = j % 2 ? 'error_attitude' : 'error_momentum'
    ytext = j % 2 ? 'error of the quaternion' : 'error of the momentum'
    load 'panel.gp'
}
load 'legend.gp'
