import type { ComponentChildren } from 'preact'

/** The texts of a language by their English ones. A text that counts has one form for each plural category. */
export type Catalogue = ReadonlyMap<string, string | PluralForms>
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

export type Locale = {
  /** For numbers and dates; where absent they are written as the browser does. */
  locale?: string
  /** Absent for English. */
  table?: Catalogue | undefined
  dir?: string
}

let spoken: Locale = {}

/** What is said from now on. */
export function setLocale(now: Locale): void {
  spoken = now
}

/** For Intl: whose numbers and dates. */
export function spokenLocale(): string | undefined {
  return spoken.locale
}

/** A text in the language of the user: `t('Not enough {symbol}', { symbol })`. What has no translation stays English. */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text, string | number>): string {
  return fill(translated(text), values).join('')
}

/** The same with components among the words. */
export function tx<const Text extends string>(
  text: Text,
  ...[values]: Values<Text, ComponentChildren>
): ComponentChildren[] {
  return fill(translated(text), values)
}

/** A text that counts, in its two English forms: `plural(sites, '{count} site', '{count} sites')`. It knows `{count}` by itself. */
export function plural<const Text extends string>(
  count: number,
  one: string,
  other: Text,
  ...[values]: Values<Text, string | number, 'count'>
): string {
  const { locale, table } = spoken
  const forms = table?.get(other)
  const text =
    typeof forms === 'object'
      ? (forms[new Intl.PluralRules(locale).select(count)] ?? forms.other)
      : count === 1
        ? one
        : other
  return fill<string | number>(text, { count: count.toLocaleString(locale), ...values }).join('')
}

/** Marks a text of a table that is made once: it is translated where it is used, by `t`. */
export function defineMessage<const Text extends string>(text: Text): Text {
  return text
}

/** The names between braces in a text. Of one that is not known before it runs nothing is demanded. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Values<Text extends string, Value, Known extends string = never> = string extends Text
  ? [values?: Record<string, Value>]
  : [Exclude<Names<Text>, Known>] extends [never]
    ? []
    : [values: Record<Exclude<Names<Text>, Known>, Value>]

function translated(text: string): string {
  const said = spoken.table?.get(text)
  return typeof said === 'string' ? said : text
}

function fill<Value>(text: string, values: Record<string, Value> = {}): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : apart(values[part] ?? '')))
}

/** Among words that run from right to left a value keeps its own direction (UAX 9, FSI and PDI). */
function apart<Value>(value: Value): Value | string {
  return spoken.dir === 'rtl' && typeof value !== 'object' ? `\u2068${value}\u2069` : value
}
