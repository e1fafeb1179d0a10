/**
 * Tells the style how wide this system draws a thin scrollbar: 0 where it lies over the content. What scrolls
 * keeps that much free at its end and takes it off its padding, so that a list stands in the middle with and
 * without a bar.
 */
export function measureScrollbar(): void {
  const probe = document.createElement('div')
  probe.style.cssText =
    'position:absolute;visibility:hidden;inline-size:100px;block-size:100px;overflow-y:scroll'
  document.body.append(probe)
  const width = probe.offsetWidth - probe.clientWidth
  probe.remove()
  document.documentElement.style.setProperty('--bar', `${width}px`)
}
