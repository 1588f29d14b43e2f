# grade.gp - the attitude error of each case that `polhode grade` graded, a row for each, from the
# top, with its bound; what has not passed is marked otherwise.
load 'begin.gp'
stats $csv using (column('number')) nooutput
width = 900
height = 130 + 19 * STATS_records
load 'terminal.gp'
set label 99 caption_text at screen 0.5, screen 1 - 22.0 / height center noenhanced font caption_font
set tmargin at screen 1 - 44.0 / height
set border 3 lc rgb '#333333'
set tics nomirror
set logscale x
set format x '10^{%T}'
set termoption enhanced
set xrange [3e-17:10]
set xtics 1e-16, 100
set xlabel 'attitude error in radians'
set yrange [0:STATS_records + 1]
set ytics noenhanced font ',11'
set grid xtics ytics lt 1 lw 0.6 lc rgb '#E3E6E9'
set key noenhanced center bottom horizontal at screen 0.6,0.008
set bmargin 5.5
missed(i) = column('passed') > 0 ? NaN : column('error')
passed(i) = column('passed') > 0 ? column('error') : NaN
plot $csv using (column('bound')):(column('number')) with points pt 2 ps 0.6 * P \
        lc rgb '#7A7A7A' title 'bound', \
    $csv using (passed(0)):(column('number')):ytic(strcol('case')) with points pt 7 ps P \
        lc rgb '#005A9E' title 'passed', \
    $csv using (missed(0)):(column('number')) with points pt 9 ps 1.2 * P lc rgb '#C44E00' title 'not passed'
