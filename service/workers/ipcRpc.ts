// biome-ignore lint/suspicious/noExplicitAny: each deed has arguments of its own
type Deeds = Record<string, (...given: any[]) => unknown>

export type IpcRpc<Theirs extends Deeds> = {
  /** Rejects with the other process's error, or when it disconnects. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    ...given: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>
}

/** A `cluster` worker or its `process`. */
type End = {
  send?(message: unknown, then: (error: Error | null) => void): boolean
  on(event: 'message', hear: (message: unknown) => void): unknown
  once(event: 'disconnect', hear: () => void): unknown
}

type Question = { question: number; name: string; given: unknown[] }
type Answer = { answer: number; result?: unknown; fault?: { message: string; code?: string | undefined } }

/** Creates an RPC over IPC. */
export function createIpcRpc<Theirs extends Deeds>(end: End, ours: Deeds): IpcRpc<Theirs> {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let count = 0

  async function reply({ question, name, given }: Question): Promise<void> {
    const answer: Answer = { answer: question }
    try {
      const deed = Object.hasOwn(ours, name) ? ours[name] : undefined
      if (deed === undefined) throw new Error(`There is no ${name}.`)
      answer.result = await deed(...given)
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      answer.fault = { message, code }
    }
    // The caller may have disconnected.
    end.send?.(answer, () => {})
  }

  end.on('message', (message) => {
    if (isQuestion(message)) void reply(message)
    if (!isAnswer(message)) return
    const { answer, result, fault } = message
    const asked = pending.get(answer)
    pending.delete(answer)
    if (fault === undefined) asked?.resolve(result)
    else asked?.reject(Object.assign(new Error(fault.message), fault))
  })
  end.once('disconnect', () => {
    for (const { reject } of pending.values()) reject(new Error('The other process is gone.'))
    pending.clear()
  })

  return {
    ask: (name, ...given) =>
      new Promise<never>((resolve, reject) => {
        const question = count++
        pending.set(question, { resolve: resolve as (result: unknown) => void, reject })
        const fail = (error: Error | null) => {
          if (error === null || !pending.delete(question)) return
          reject(error)
        }
        if (end.send === undefined) fail(new Error('There is no other process.'))
        else end.send({ question, name, given } satisfies Question, fail)
      }),
  }
}

function isQuestion(message: unknown): message is Question {
  const { question, name, given } = (message ?? {}) as Partial<Question>
  return typeof question === 'number' && typeof name === 'string' && Array.isArray(given)
}

function isAnswer(message: unknown): message is Answer {
  return typeof ((message ?? {}) as Partial<Answer>).answer === 'number'
}
