# terminal.gp - a white canvas of `width` and `height` pixels, and P, the size of a point,
# in which the terminals differ.
if (format eq 'svg') {
    set terminal svg size width,height noenhanced background 'white' font 'sans-serif,14'
    P = 0.65
} else {
    P = 1.1
    if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
        set terminal pngcairo size width,height noenhanced background 'white' \
            font 'sans-serif,14' fontscale 0.8
    } else {
        set terminal png size width,height noenhanced background 'white' \
            font 'sans-serif,14'
    }
}
