// The palette, which is loaded when it is asked for.
export { Palette } from './palette/palette.tsx'
