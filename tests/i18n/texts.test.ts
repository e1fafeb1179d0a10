import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '../../src/domain/preferences.ts'
import { collect } from './collect.ts'

const root = resolve(import.meta.dirname, '../..')
const files = ['src/ui', 'src/state'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort(),
)
const said = files.map((file) => ({ file, ...collect(file, readFileSync(`${root}/${file}`, 'utf8')) }))
const texts = new Map(said.flatMap(({ texts }) => texts).map((one) => [one.text, one]))
const translated = languages.filter((language) => language !== 'en')

const noWords = [
  'select, textarea, input:not(.figure)',
  '{}, input',
  '{}, button, a, summary',
  '(prefers-color-scheme: dark)',
  'Alt + F',
  'Alt + M',
  'Alt + R',
  'Español',
  'Sky',
  'Français',
]

describe('UI texts', () => {
  it('passes every text through the translator', () => {
    const raw = said.flatMap(({ file, raw }) =>
      raw.filter((words) => !noWords.includes(words)).map((words) => `${file}: ${words}`),
    )
    expect(raw).toEqual([])
    expect(texts.size).toBeGreaterThan(800)
  })

  it('uses each text either with or without plural forms', () => {
    const all = said.flatMap(({ texts }) => texts)
    const forms = (text: string) => new Set(all.filter((one) => one.text === text).map(({ one }) => one))
    expect([...texts.keys()].filter((text) => forms(text).size > 1)).toEqual([])
  })
})

/** Words replaced by docs/glossary.md. */
const forbidden =
  /\b(coins?|nodes?|nobody|somebody|anybody|whoever|receivers?|spare|floor|entry points?|bundles?|rivals?|verdict|trial|mouth|lanes?|worlds?|for ever|all the same|at most|as things stand|taken? back|by way of|of now|watched|faults?)\b/i

describe('glossary check of UI texts', () => {
  it('finds no word that the glossary replaces', () => {
    const words = [...texts.values()].flatMap(({ text, one = '' }) => [text, one])
    expect(words.filter((text) => forbidden.test(text.replace(/\{\w+\}/g, '')))).toEqual([])
  })

  it.each(['Spare node', 'Not enough coins', 'Use, at most {amount}', 'Taken back'])('rejects %j', (text) => {
    expect(text).toMatch(forbidden)
  })
})

describe('text collector', () => {
  const rawOf = (code: string) => collect('one.tsx', code).raw

  it.each([
    ['words between tags', 'const one = <p>Two words</p>', 'Two words'],
    ['a single word between tags', 'const one = <p>word</p>', 'word'],
    ['words among components', 'const one = <p>{amount} left <b>{rest}</b></p>', 'left'],
    ['a label', 'const one = <Field label="amount" />', 'amount'],
    ['a spoken name', 'const one = <button aria-label="close" />', 'close'],
    ['a title that depends', "const one = <b title={isOn ? 'on' : ''} />", 'on'],
    ['the name of a row', 'const one = <Row name="fee">{fee}</Row>', 'fee'],
    ['a word between braces', "const one = <p>{isOn ? 'on' : 'off'}</p>", 'on'],
    ['a label made of pieces', `const one = <b title={\`\${name} again\`} />`, '{} again'],
    ['a sentence that is answered', "const say = () => 'Enter a number.'", 'Enter a number.'],
    ['a sentence made of pieces', `const say = (name: string) => \`Set up \${name}\``, 'Set up {}'],
    ['a number of things', "const options = [{ label: '12 words' }]", '12 words'],
    ['a value inside of a text', "const say = () => t('Use {name}', { name: 'Your own' })", 'Your own'],
    ['a table', "const table = { fast: 'Fast' }", 'Fast'],
    [
      'plural forms from elsewhere',
      'const say = () => plural(2, one, other)',
      'plural() without its two forms',
    ],
  ])('finds %s', (_what, code, words) => {
    expect(rawOf(code)).toContain(words)
  })

  it('ignores strings that are not shown', () => {
    const code = `
      import { one } from 'Some where'
      type Kind = 'Two words'
      const table = { 'not-a-number': defineMessage('Enter a number') }
      const one = kind === 'Two words' ? <b class="one two" key={\`\${id} two\`} type="button">{t('Go on.')}</b> : null
      throw new WalletError('internal', 'Something broke here.')
    `
    expect(collect('one.tsx', code)).toEqual({
      texts: [{ text: 'Enter a number' }, { text: 'Go on.' }],
      raw: [],
    })
  })

  it('collects every branch of a conditional text and both plural forms', () => {
    const code = "t(isOn ? 'On' : 'Off'); tx('By {who}', { who }); plural(n, '{count} site', '{count} sites')"
    expect(collect('one.ts', code).texts).toEqual([
      { text: 'On' },
      { text: 'Off' },
      { text: 'By {who}' },
      { text: '{count} sites', one: '{count} site' },
    ])
  })
})

describe.each(translated)('catalogue: %s', (language) => {
  const file = JSON.parse(readFileSync(`${root}/src/i18n/${language}.json`, 'utf8')) as Record<
    string,
    string | Record<string, string>
  >

  it('contains every text, and no unused one', () => {
    const keys = Object.keys(file)
    expect([...texts.keys()].filter((text) => !keys.includes(text))).toEqual([])
    expect(keys.filter((key) => !texts.has(key))).toEqual([])
  })

  it('has all plural forms of its language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories.sort()
    for (const [text, one] of Object.entries(file)) {
      const counts = texts.get(text)?.one !== undefined
      expect(typeof one === 'string' ? [] : Object.keys(one).sort(), text).toEqual(counts ? categories : [])
    }
  })

  it('uses the placeholders of the original text, each once', () => {
    for (const [text, one] of Object.entries(file)) {
      const forms = typeof one === 'string' ? { other: one } : one
      for (const [category, form] of Object.entries(forms)) {
        const isNumberSaid = form.includes('{count}') || !isOneNumber(language, category)
        const names = namesIn(text).filter((name) => isNumberSaid || name !== 'count')
        expect(namesIn(form), form).toEqual(names)
      }
    }
  })

  it('has no empty or untrimmed text', () => {
    const forms = Object.values(file).flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))
    expect(forms.filter((form) => form.trim() !== form || form === '')).toEqual([])
  })
})

function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

/** A form for a single number may write it as a word. */
function isOneNumber(language: string, category: string): boolean {
  const rules = new Intl.PluralRules(language)
  return (
    Array.from({ length: 300 }, (_, count) => rules.select(count)).filter((one) => one === category)
      .length === 1
  )
}
