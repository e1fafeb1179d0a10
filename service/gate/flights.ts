/** Answers a question, or waits for the answer when somebody is asking the same already. */
export type Flights<Answer> = (
  question: string,
  /** Says when who asks has gone. */
  signal: AbortSignal,
  /** Its signal says when everybody has. */
  answer: (signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>

type Flight<Answer> = { answer: Promise<Answer>; join(signal: AbortSignal): void }

/** One answer for all who ask the same at the same time. */
export function createFlights<Answer>(): Flights<Answer> {
  const flights = new Map<string, Flight<Answer>>()

  function start(
    question: string,
    signal: AbortSignal,
    answer: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const everybody = new AbortController()
    let asking = 0
    const join = (one: AbortSignal) => {
      asking++
      one.addEventListener('abort', () => {
        asking--
        if (asking > 0) return
        end()
        everybody.abort(one.reason)
      })
    }
    const end = () => {
      if (flights.get(question) === flight) flights.delete(question)
    }
    join(signal)
    const flight: Flight<Answer> = { answer: answer(everybody.signal).finally(end), join }
    flights.set(question, flight)
    return flight.answer
  }

  return (question, signal, answer) => {
    const flight = flights.get(question)
    if (flight === undefined) return start(question, signal, answer)
    flight.join(signal)
    return flight.answer
  }
}
