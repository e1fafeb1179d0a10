import { defineBackground } from 'wxt/utils/define-background'
import { start } from '../src/background/main.ts'
import { freezePrototypes } from '../src/domain/freezePrototypes.ts'

export default defineBackground(() => {
  freezePrototypes()
  start()
})
