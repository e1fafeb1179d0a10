import { toWalletError } from '../errors.ts'
import type { Clock } from './clock.ts'

const attempts = 5
const attemptEveryMs = 300

/**
 * Asks the worker for something that may be asked twice. The browser stops workers as it likes, and the next question starts another
 * one: a worker that stopped before it answered is asked again, for as long as somebody wants to know.
 */
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
