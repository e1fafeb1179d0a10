/** Ground of white letters. One lightness for all hues: contrast of at least 4.5 (WCAG AA). */
export function markColor(hue: number): string {
  return `oklch(52% 0.13 ${hue})`
}
