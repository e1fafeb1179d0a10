/** Gives back what was reserved. A second call does nothing. */
export type Release = () => void

/**
 * The bytes of all pages that the worker holds, by origin. A request is reserved for before it is read, over all tabs and ports of its
 * origin. Sizes are lengths of texts.
 */
export type Budget = {
  /** Reserves at once; undefined where the origin's rate or share does not allow it. */
  take(origin: string, bytes: number): Release | undefined
  /** Reserves when there is room; origins take turns. `cancel` leaves the queue, or gives back. */
  wait(origin: string, bytes: number, granted: (release: Release) => void): Release
  /** Counts an answer on its way to a page, until it has arrived. */
  addAnswer(origin: string, bytes: number): Release
  /** True when so little is on its way to the pages of `origin` that another answer may be made. */
  canAnswer(origin: string): boolean
  /** Resolves when that is so. */
  answersArrived(origin: string): Promise<void>
  /** Bytes reserved and on their way now, of `origin` or of all. */
  size(origin?: string): { requests: number; answers: number }
}

type Limits = {
  perOrigin: number
  inAll: number
  /** A bucket: so many at once, and as many each second from then on. */
  perSecond: number
  answersPerOrigin: number
}

type Deps = Partial<Limits> & {
  /** Milliseconds. */
  now?(): number
  later?(run: () => void, ms: number): void
}

type Waiting = { bytes: number; grant(release: Release): void }

type Account = {
  requests: number
  answers: number
  /** The time at which its bucket is full again. */
  fullAt: number
  queue: Waiting[]
  arrivals: (() => void)[]
}

const maxAccounts = 1_000
/** After so long an answer counts as arrived: it has left the worker, and its page may be frozen. */
const arrivalMs = 30_000

/** Creates the budget. The limits leave a newcomer room however many others are at their own limit. */
export function createBudget({
  perOrigin = 2_000_000,
  inAll = 8_000_000,
  perSecond = 2_000_000,
  answersPerOrigin = 2_000_000,
  now = () => performance.now(),
  later = (run, ms) => void setTimeout(run, ms),
}: Deps = {}): Budget {
  const accounts = new Map<string, Account>()
  let total = 0
  let isTimerSet = false

  function accountOf(origin: string): Account {
    const known = accounts.get(origin)
    if (known !== undefined) return known
    if (accounts.size >= maxAccounts) for (const [name, one] of [...accounts]) forget(name, one)
    const account = { requests: 0, answers: 0, fullAt: 0, queue: [], arrivals: [] }
    accounts.set(origin, account)
    return account
  }

  /**
   * An origin's share is half of what is free (dynamic threshold, Choudhury and Hahne): alone it gets a third, beside others less, and some
   * room is always left. One request of an origin that has none is let in anyway.
   */
  function fits({ requests }: Account, bytes: number): boolean {
    return requests === 0 || requests + bytes <= Math.min(perOrigin, (inAll - total) / 2)
  }

  /** Milliseconds until the origin's bucket holds `bytes`. */
  function delayOf({ fullAt }: Account, bytes: number): number {
    const emptyMs = Math.max(fullAt - now(), 0)
    return emptyMs + (Math.min(bytes, perSecond) / perSecond) * 1_000 - 1_000
  }

  function reserve(origin: string, account: Account, bytes: number): Release {
    account.fullAt = Math.max(account.fullAt, now()) + (bytes / perSecond) * 1_000
    account.requests += bytes
    total += bytes
    return once(() => {
      account.requests -= bytes
      total -= bytes
      grant()
      forget(origin, account)
    })
  }

  /** Lets in what fits, one request of each origin in turn. */
  function grant(): void {
    let nextMs = Number.POSITIVE_INFINITY
    for (let isMoving = true; isMoving; ) {
      isMoving = false
      for (const [origin, account] of [...accounts]) {
        const [first] = account.queue
        if (first === undefined || !fits(account, first.bytes)) continue
        const delay = delayOf(account, first.bytes)
        if (delay > 0) {
          nextMs = Math.min(nextMs, delay)
          continue
        }
        account.queue.shift()
        // The last in line from now on.
        accounts.delete(origin)
        accounts.set(origin, account)
        isMoving = true
        first.grant(reserve(origin, account, first.bytes))
      }
    }
    if (nextMs === Number.POSITIVE_INFINITY || isTimerSet) return
    isTimerSet = true
    later(() => {
      isTimerSet = false
      grant()
    }, nextMs)
  }

  function forget(origin: string, account: Account): void {
    const { requests, answers, fullAt, queue, arrivals } = account
    const isIdle = requests === 0 && answers === 0 && queue.length === 0 && arrivals.length === 0
    if (isIdle && fullAt <= now() && accounts.get(origin) === account) accounts.delete(origin)
  }

  function canAnswer({ answers }: Account): boolean {
    return answers <= answersPerOrigin
  }

  return {
    take(origin, bytes) {
      const account = accountOf(origin)
      if (!fits(account, bytes) || delayOf(account, bytes) > 0) return undefined
      return reserve(origin, account, bytes)
    },
    wait(origin, bytes, granted) {
      const account = accountOf(origin)
      let release: Release | undefined
      const waiting: Waiting = {
        bytes,
        grant(given) {
          release = given
          granted(given)
        },
      }
      account.queue.push(waiting)
      grant()
      return () => {
        release?.()
        account.queue = account.queue.filter((one) => one !== waiting)
        forget(origin, account)
      }
    },
    addAnswer(origin, bytes) {
      const account = accountOf(origin)
      account.answers += bytes
      const arrived = once(() => {
        account.answers -= bytes
        if (canAnswer(account)) for (const heard of account.arrivals.splice(0)) heard()
        forget(origin, account)
      })
      later(arrived, arrivalMs)
      return arrived
    },
    canAnswer: (origin) => canAnswer(accountOf(origin)),
    async answersArrived(origin) {
      const account = accountOf(origin)
      while (!canAnswer(account)) {
        await new Promise<void>((heard) => account.arrivals.push(heard))
      }
    },
    size(origin) {
      const counted = origin === undefined ? [...accounts.values()] : [accountOf(origin)]
      const sum = (field: 'requests' | 'answers') => counted.reduce((all, one) => all + one[field], 0)
      return { requests: sum('requests'), answers: sum('answers') }
    },
  }
}

function once(run: () => void): Release {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
