export type SingleFlight<Answer> = (
  question: string,
  signal: AbortSignal,
  /** Its signal aborts when all clients have disconnected; running work continues. */
  answer: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>

type Flight<Answer> = { answer: Promise<Answer>; join(signal: AbortSignal): void; everybody: AbortSignal }

/**
 * Creates a single-flight group. Abandoned flights can still be joined, so that reconnecting starts no second
 * one.
 */
export function createSingleFlight<Answer>(): SingleFlight<Answer> {
  const flights = new Map<string, Flight<Answer>>()

  function start(question: string, answer: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> {
    const everybody = new AbortController()
    let asking = 0
    const join = (one: AbortSignal) => {
      asking++
      one.addEventListener('abort', () => {
        asking--
        if (asking === 0) everybody.abort(one.reason)
      })
    }
    const land = () => flights.delete(question)
    const flight = { answer: answer(everybody.signal).finally(land), join, everybody: everybody.signal }
    flights.set(question, flight)
    return flight
  }

  return async function ask(question, signal, answer) {
    signal.throwIfAborted()
    const flight = flights.get(question) ?? start(question, answer)
    const wasLeft = flight.everybody.aborted
    flight.join(signal)
    try {
      return await flight.answer
    } catch (error) {
      // Abandoned before it began.
      if (wasLeft && error === flight.everybody.reason) return ask(question, signal, answer)
      throw error
    }
  }
}
