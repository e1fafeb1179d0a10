/** Releases a reservation. Idempotent. */
export type Release = () => void

/** Bytes held for pages, per origin, reserved before a request is read. Sizes are text lengths. */
export type ByteBudget = {
  /** Reserves at once; undefined beyond the origin's rate or share. */
  take(origin: string, bytes: number): Release | undefined
  /** Waits for room, origins in turn. The result leaves the queue or releases. */
  wait(origin: string, bytes: number, granted: (release: Release) => void): Release
  /** Counts an answer until it arrives. */
  addAnswer(origin: string, bytes: number): Release
  /** True while another answer may be created. */
  canAnswer(origin: string): boolean
  answersArrived(origin: string): Promise<void>
  /** Bytes of `origin`, or in total. */
  size(origin?: string): { requests: number; answers: number }
}

type Limits = {
  perOrigin: number
  inAll: number
  /** Token bucket: burst and refill per second. */
  perSecond: number
  answersPerOrigin: number
}

type Deps = Partial<Limits> & {
  now?(): number
  later?(run: () => void, ms: number): void
}

type Waiting = { bytes: number; grant(release: Release): void }

type Account = {
  requests: number
  answers: number
  /** Time at which the bucket is full. */
  fullAt: number
  queue: Waiting[]
  arrivals: (() => void)[]
}

const maxAccounts = 1_000
/** After this an answer has left the worker; its page may be frozen. */
const arrivalMs = 30_000

/** Creates limits that leave a new origin room, however many others are at theirs. */
export function createByteBudget({
  perOrigin = 2_000_000,
  inAll = 8_000_000,
  perSecond = 2_000_000,
  answersPerOrigin = 2_000_000,
  now = () => performance.now(),
  later = (run, ms) => void setTimeout(run, ms),
}: Deps = {}): ByteBudget {
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
   * An origin may use half of the free bytes (dynamic threshold, Choudhury and Hahne), so some are always
   * left. One request always fits.
   */
  function fits({ requests }: Account, bytes: number): boolean {
    return requests === 0 || requests + bytes <= Math.min(perOrigin, (inAll - total) / 2)
  }

  /** Milliseconds until the bucket holds `bytes`. */
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

  /** Grants one request per origin in turn. */
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
        // Moves the origin to the end.
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
