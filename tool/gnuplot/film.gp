# film.gp - the letters of a film, two pictures of `width` x `height` pixels as PNG. The first is its background:
# `caption`, the words of `entries` in the colours `inks`, and `t =`, after which the time stands, `digits` letters. The second has the
# letters of times in cells of `cell` x `line` pixels.
load 'begin.gp'
size = height / 1080.0
LETTERS = '0123456789.-+e'
large = font_for(caption, 32 * size, 0.7 * width)
font_of(points) = sprintf('sans-serif,%.2f', 0.75 * points)
set terminal pngcairo size width,height noenhanced background '#FBFAF7' font font_of(line / 1.35)
unset border
unset tics
unset key
set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0
set xrange [0:width]
set yrange [0:height]
screen_y = height - 0.045 * height
set label 1 fitted(caption, 0.7 * width * SMALLEST / smaller(SMALLEST, large)) at 0.02 * width,screen_y left \
    font font_of(large)
set label 2 't =' at width - (digits + 1) * cell,screen_y right
at_x = 0.02 * width
do for [k = 1:words(entries)] {
    entry = word(entries, k)
    set label 10 + k entry at at_x,0.04 * height left textcolor rgb word(inks, k)
    at_x = at_x + 0.6 * line / 1.35 * (strlen(entry) + 2)
}
plot NaN
unset label
do for [k = 1:strlen(LETTERS)] {
    set label k LETTERS[k:k] at (k - 0.5) * cell,height - 0.5 * line center
}
plot NaN
