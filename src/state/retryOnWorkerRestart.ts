import { toWalletError } from '../errors.ts'
import type { Clock } from './clock.ts'

const attempts = 5
const attemptEveryMs = 300

/** Retries an idempotent request while `isWanted`, since browsers stop workers at any time. */
export async function retryOnWorkerRestart<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  isWanted = () => true,
  attempt = 1,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (toWalletError(error).code !== 'worker-stopped' || attempt === attempts) throw error
    await new Promise<void>((go) => clock.after(attemptEveryMs * attempt, go))
    if (!isWanted()) throw error
    return retryOnWorkerRestart(clock, ask, isWanted, attempt + 1)
  }
}
