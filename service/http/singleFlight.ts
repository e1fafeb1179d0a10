/** Answers a question, or waits for the answer when the same is being answered already. */
export type SingleFlight<Answer> = (
  question: string,
  /** Says when who asks has gone. */
  signal: AbortSignal,
  /** Its signal says when everybody has. What has not begun by then ends in the signal's reason; what has goes on to its end. */
  answer: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>

type Flight<Answer> = { answer: Promise<Answer>; join(signal: AbortSignal): void; everybody: AbortSignal }

/**
 * One answer for all who ask the same at the same time. A flight can be joined until it has landed, also when nobody is left in it:
 * to hang up and ask again begins no second one.
 */
export function createFlights<Answer>(): SingleFlight<Answer> {
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
      // It was left before it began, and joined before that was known.
      if (wasLeft && error === flight.everybody.reason) return ask(question, signal, answer)
      throw error
    }
  }
}
