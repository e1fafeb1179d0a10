import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { freezePrototypes } from '../../src/domain/freezePrototypes.ts'

const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')

describe('freezePrototypes', () => {
  // In a separate realm, since freezing is permanent.
  it('rejects changes to built-in prototypes', () => {
    const said = runInNewContext(`
      'use strict';
      (${freezePrototypes})();
      const tries = [
        () => { Object.prototype.polluted = 1 },
        () => { ({}).__proto__.polluted = 1 },
        () => { Array.prototype.map = () => [] },
        () => { delete Object.prototype.hasOwnProperty },
        () => { Object.defineProperty(Array.prototype, 'polluted', { value: 1 }) },
      ];
      const isRefused = (attempt) => { try { attempt(); return false } catch (error) { return error instanceof TypeError } };
      JSON.stringify([tries.map(isRefused), 'polluted' in [], [1].map((each) => each + 1)])
    `)
    expect(JSON.parse(said)).toEqual([[true, true, true, true, true], false, [2]])
  })

  it('runs first in the worker and in the popup', () => {
    expect(read('entrypoints/background.ts')).toMatch(/defineBackground\(\(\) => \{\s+freezePrototypes\(\)\s/)
    const [, body = ''] = read('entrypoints/popup/main.tsx').split('\n\n')
    expect(body.trim()).toMatch(/^freezePrototypes\(\)/)
  })
})
