/** What the views remember of one session of the browser: a popup that closes loses nothing, and no disk keeps it. */
export type Session = {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): Promise<void>
}
