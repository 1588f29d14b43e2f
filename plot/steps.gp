# steps.gp - the error of the energy over step times rate and the shape of a body, for
# `polhode check --steps`; white above a tenth.
load 'begin.gp'
width = 900
height = 620
load 'terminal.gp'
set title caption noenhanced offset 0,-0.4
set border lw 1 lc rgb '#333333'
set tics out nomirror
set logscale x
set xlabel 'step times rate, in radians'
set ylabel '(J_2 - J_1)/(J_3 - J_1)'
set cblabel 'decimal logarithm of the error; white: above a tenth'
set palette defined (0 '#053061', 1 '#2166AC', 2 '#92C5DE', 3 '#F7F7F7', 4 '#F4A582', 5 '#B2182B', 6 '#67001F')
set cbrange [-7:-1]
set yrange [-0.02:1.02]
set rmargin 12
lost(e) = e >= 0.1 ? NaN : log10(e < 1e-16 ? 1e-16 : e)
set autoscale xfix
set object 1 rectangle from graph 0,0 to graph 1,1 fc rgb '#FFFFFF' behind
plot $csv using (column('turn')):(column('shape')):(column('turn') / 1.0219):(column('turn') * 1.0219):(column('shape') - 0.0209):(column('shape') + 0.0209):(lost(column('error'))) \
    with boxxyerror fs solid noborder lc palette notitle
