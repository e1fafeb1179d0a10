import { expect, it } from 'vitest'
import { html } from '../../../service/docs/html.ts'
import { inline, prose } from '../../../service/docs/prose.ts'
import { json } from '../../../service/docs/samples.ts'

const nasty = `<script>alert("1" & '2')</script>`
const tame = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;'

it('escapes whatever is put in, wherever it stands and however deep', () => {
  expect(html`<a title="${nasty}">${[[nasty], 7]}</a>`.html).toBe(`<a title="${tame}">${tame}7</a>`)
})

it('leaves its own pieces as they are', () => {
  expect(html`<p>${html`<b>${nasty}</b>`}${[html`<i></i>`, html`<u></u>`]}</p>`.html).toBe(
    `<p><b>${tame}</b><i></i><u></u></p>`,
  )
})

it('sets code as such, and paragraphs apart', () => {
  expect(inline('set `a<b` or `c`.').html).toBe('set <code>a&lt;b</code> or <code>c</code>.')
  expect(prose('one\n\ntwo').html).toBe('<p>one</p><p>two</p>')
})

it('colours JSON, escapes it and cuts what is long', () => {
  expect(json({ a: ['<b>', 1.5, null] }).html).toBe(
    '{\n  <span class="key">&quot;a&quot;</span>: [\n    <span class="string">&quot;&lt;b&gt;&quot;</span>,\n' +
      '    <span class="word">1.5</span>,\n    <span class="word">null</span>\n  ]\n}',
  )
  expect(json('x'.repeat(200)).html).toBe(`<span class="string">&quot;${'x'.repeat(40)}…&quot;</span>`)
  expect(json('12 "true": 3').html).toBe('<span class="string">&quot;12 \\&quot;true\\&quot;: 3&quot;</span>')
})
