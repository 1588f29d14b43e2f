# step_errors.gp - the error of the energy over step times rate, of `polhode check --steps`.
load 'begin.gp'
width = 900
height = 560
load 'terminal.gp'
set title caption noenhanced offset 0,-0.4
set border 3 lc rgb '#333333'
set tics nomirror
set logscale xy
set format y '10^{%T}'
set termoption enhanced
set xlabel 'step times rate'
set ylabel 'largest relative error of the energy'
set grid lt 1 lw 0.6 lc rgb '#E3E6E9'
set yrange [*:10]
plot $csv using (column('turn')):(column('error')) with linespoints pt 7 ps 0.5 * P lc rgb '#005A9E' notitle
