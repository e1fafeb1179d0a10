/** View state of one browser session, never written to disk. */
export type Session = {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
  remove(key: string): Promise<void>
  /** Calls `listener` when the page is about to close. */
  onClose?(listener: () => void): void
}
