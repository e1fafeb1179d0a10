/** Count on the toolbar icon: open dapp requests first, else pending transactions. */
export type Badge = {
  setRequests(count: number): void
  setPending(count: number): void
}

type Action = {
  setBadgeText(details: { text: string }): Promise<void>
  setBadgeBackgroundColor?(details: { color: string }): Promise<void>
  setBadgeTextColor?(details: { color: string }): Promise<void>
}

/** White on these is above 5:1. */
const colors = { requests: '#b3261e', pending: '#0b7285' }

/** `getAction` is lazy, which saves a millisecond per start. */
export function createBadge(getAction: () => Action | undefined): Badge {
  let [requests, pending] = [0, 0]

  async function show(): Promise<void> {
    const action = getAction()
    const count = requests || pending
    await action?.setBadgeText({ text: count === 0 ? '' : String(count) })
    if (count === 0) return
    await action?.setBadgeBackgroundColor?.({ color: requests > 0 ? colors.requests : colors.pending })
    await action?.setBadgeTextColor?.({ color: '#ffffff' })
  }
  const showQuietly = () => void show().catch(() => undefined)

  return {
    setRequests(count) {
      requests = count
      showQuietly()
    },
    setPending(count) {
      pending = count
      showQuietly()
    },
  }
}
