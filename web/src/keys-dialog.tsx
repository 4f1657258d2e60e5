import { t } from '@lingui/core/macro'
import { COMMAND_KEY } from './platform/command-key.ts'
import { Dialog } from './ui/overlays/dialog.tsx'

/** Keyboard shortcuts, by where they work. */
const KEYS: [string, [string, string][]][] = [
  [
    t`Everywhere`,
    [
      [`${COMMAND_KEY} K`, t`Search everything`],
      ['?', t`These keys`],
      ['Esc', t`Close what is open`],
    ],
  ],
  [
    t`Chat`,
    [
      ['Enter', t`Ask`],
      ['Shift Enter', t`A new line`],
      ['/', t`Shortcuts of the agent`],
      ['↑', t`In the empty box: edit the last question`],
      ['Esc', t`Stop the answer`],
    ],
  ],
  [
    t`Drive`,
    [
      ['/', t`Find by name`],
      ['N', t`New folder`],
      ['U', t`Add files`],
      ['↑ ↓', t`Move between rows; with Shift, select them`],
      ['Space', t`Select or deselect a row`],
      [`${COMMAND_KEY} A`, t`Choose all`],
      ['Enter', t`Open`],
      ['F2', t`Rename`],
      ['M', t`Move`],
      ['Delete', t`Delete`],
    ],
  ],
  [t`Setting up an agent`, [[`${COMMAND_KEY} S`, t`Save`]]],
]

export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={t`Keys`} width="wide" onClose={onClose}>
    <div className="gap-x-8 sm:columns-2">
      {KEYS.map(([where, keys]) => (
        <section key={where} className="mb-4 break-inside-avoid">
          <h3 className="mb-1 text-sm font-semibold text-muted">{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key} className="flex items-baseline justify-between gap-4 py-0.5">
                <dd className="text-pretty">{does}</dd>
                <dt className="order-last flex shrink-0 gap-1">
                  {key.split(' ').map((one) => (
                    <kbd key={one} className="rounded-[0.35rem] border border-line bg-canvas px-1.5 font-sans text-sm">
                      {one}
                    </kbd>
                  ))}
                </dt>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
