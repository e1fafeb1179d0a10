/** Who may ask how often. */
export type Limiter = {
  /** Undefined when `asker` may ask now, which is counted; else after how many milliseconds it may. */
  take(asker: string): Promise<number | undefined>
}
