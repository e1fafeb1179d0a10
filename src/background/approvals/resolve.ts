import { WalletError } from '../../errors.ts'
import { type ApprovalRecord, type ClosedRecord, getApprovalId, type Reason } from './store.ts'

/** Pages waiting in this worker; after a restart the records answer. */
export type PendingResponses = {
  of(record: ApprovalRecord): Promise<unknown>
  tell(over: ClosedRecord): void
}

export function createPendingResponses(): PendingResponses {
  const waiting = new Map<string, Waiting>()

  function tell({ id, end }: ClosedRecord): void {
    const page = waiting.get(id)
    waiting.delete(id)
    if (end.status === 'done') page?.resolve(end.outcome)
    else page?.reject(createRejection(end.reason))
  }

  return {
    of(record) {
      const id = getApprovalId(record)
      const known = waiting.get(id)
      if (known !== undefined) return known.promise
      const fresh = createWaiting()
      waiting.set(id, fresh)
      if (record.state === 'closed') tell(record)
      return fresh.promise
    },
    tell,
  }
}

const refusals: Record<Reason, string> = {
  rejected: 'The user rejected the request.',
  closed: 'The user closed the window without an answer.',
  expired: 'The request was not answered in time.',
  withdrawn: 'The page went away before the user answered.',
  disconnected: 'The site was disconnected before the user answered.',
}

/** Creates the error of a refused request. */
export function createRejection(reason: Reason): WalletError {
  return new WalletError('rejected', refusals[reason], { reason })
}

type Waiting = { promise: Promise<unknown>; resolve(value: unknown): void; reject(error: unknown): void }

function createWaiting(): Waiting {
  let ends: Omit<Waiting, 'promise'> = { resolve: () => undefined, reject: () => undefined }
  const promise = new Promise<unknown>((resolve, reject) => {
    ends = { resolve, reject }
  })
  // Prevents unhandled rejections.
  promise.catch(() => undefined)
  return { promise, ...ends }
}
