/** Sets `--bar` to the scrollbar's width, 0 for overlays. Styles subtract it from the padding. */
export function measureScrollbar(): void {
  const probe = document.createElement('div')
  probe.style.cssText =
    'position:absolute;visibility:hidden;inline-size:100px;block-size:100px;overflow-y:scroll'
  document.body.append(probe)
  const width = probe.offsetWidth - probe.clientWidth
  probe.remove()
  document.documentElement.style.setProperty('--bar', `${width}px`)
}
