import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WalletError } from '../../../../src/errors.ts'
import { type QueryResult, useQuery } from '../../../../src/ui/hooks/data/useQuery.ts'
import { pending } from '../../../helpers/state/fakes.ts'
import { clearDocument, draw, Node, standInDocument } from '../../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

function asking() {
  const place = new Node('main')
  const asked: { name: string; answer: ReturnType<typeof pending<string>> }[] = []
  const states: QueryResult<string>[] = []
  function Asker({ name }: { name: string }) {
    const answer = useQuery(() => {
      if (name === '') return undefined
      const one = { name, answer: pending<string>() }
      asked.push(one)
      return one.answer.promise
    }, [name])
    states.push(answer)
    return null
  }
  return {
    asked: () => asked.map(({ name }) => name),
    state: () => states.at(-1),
    about: (name: string) => draw(h(Asker, { name }), place),
    leave: () => draw(null, place),
    answer: (index: number, value: string) => act(async () => asked[index]?.answer.resolve(value)),
    fail: (index: number, error: unknown) => act(async () => asked[index]?.answer.reject(error)),
  }
}

describe('a question that a component asks', () => {
  it('is asked once, and answered', async () => {
    const one = asking()
    await one.about('dai')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(0, 'Dai')
    await one.about('dai')
    expect(one.state()).toEqual({ status: 'answered', value: 'Dai' })
    expect(one.asked()).toEqual(['dai'])
  })

  it('fails with the error that it was answered with', async () => {
    const one = asking()
    await one.about('dai')
    const error = new WalletError('unknown-token', 'No such token.')
    await one.fail(0, error)
    expect(one.state()).toEqual({ status: 'failed', error })
  })

  it('is asked anew when it is another, and shows nothing of the one before', async () => {
    const one = asking()
    await one.about('dai')
    await one.answer(0, 'Dai')
    await one.about('usdc')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(1, 'USD Coin')
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('drops an answer that arrives after the question changed', async () => {
    const one = asking()
    await one.about('dai')
    await one.about('usdc')
    await one.answer(0, 'Dai')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(1, 'USD Coin')
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('keeps its answer when the one before it fails late', async () => {
    const one = asking()
    await one.about('dai')
    await one.about('usdc')
    await one.answer(1, 'USD Coin')
    await one.fail(0, new WalletError('node-unreachable', 'Nobody there.'))
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('is none while there is nothing to ask', async () => {
    const one = asking()
    await one.about('')
    expect(one.asked()).toEqual([])
    expect(one.state()).toEqual({ status: 'asking' })
  })

  it('draws nothing more once its component is gone', async () => {
    const one = asking()
    await one.about('dai')
    await one.leave()
    await one.answer(0, 'Dai')
    expect(one.state()).toEqual({ status: 'asking' })
  })
})
