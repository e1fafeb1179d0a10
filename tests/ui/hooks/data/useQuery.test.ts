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

describe('useQuery', () => {
  it('runs the query once and returns its result', async () => {
    const one = asking()
    await one.about('dai')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(0, 'Dai')
    await one.about('dai')
    expect(one.state()).toEqual({ status: 'answered', value: 'Dai' })
    expect(one.asked()).toEqual(['dai'])
  })

  it('returns the error of a failed query', async () => {
    const one = asking()
    await one.about('dai')
    const error = new WalletError('unknown-token', 'No such token.')
    await one.fail(0, error)
    expect(one.state()).toEqual({ status: 'failed', error })
  })

  it('runs again when its dependencies change and drops the previous result', async () => {
    const one = asking()
    await one.about('dai')
    await one.answer(0, 'Dai')
    await one.about('usdc')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(1, 'USD Coin')
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('ignores a result that arrives after the dependencies changed', async () => {
    const one = asking()
    await one.about('dai')
    await one.about('usdc')
    await one.answer(0, 'Dai')
    expect(one.state()).toEqual({ status: 'asking' })
    await one.answer(1, 'USD Coin')
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('keeps the current result when the previous query fails late', async () => {
    const one = asking()
    await one.about('dai')
    await one.about('usdc')
    await one.answer(1, 'USD Coin')
    await one.fail(0, new WalletError('node-unreachable', 'Nobody there.'))
    expect(one.state()).toEqual({ status: 'answered', value: 'USD Coin' })
  })

  it('runs no query when the function returns undefined', async () => {
    const one = asking()
    await one.about('')
    expect(one.asked()).toEqual([])
    expect(one.state()).toEqual({ status: 'asking' })
  })

  it('keeps its last state when a result arrives after the component is unmounted', async () => {
    const one = asking()
    await one.about('dai')
    await one.leave()
    await one.answer(0, 'Dai')
    expect(one.state()).toEqual({ status: 'asking' })
  })
})
