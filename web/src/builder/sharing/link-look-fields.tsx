import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import { LANGUAGE_TAGS, LANGUAGES, type Language } from '../../../languages/languages.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Textarea } from '../../ui/fields/field.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { type LinkLook, MOST_QUESTIONS, newLogo, questionsOf } from './link-look.ts'

const USUAL_COLOR = '#2b45a5'

interface LinkLookFieldsProps {
  look: LinkLook
  onChange: (some: Partial<LinkLook>) => void
}

/** Fields for the look of a link. */
export function LinkLookFields({ look, onChange }: LinkLookFieldsProps) {
  const colorId = useId()
  const isTooLong = questionsOf(look).length > MOST_QUESTIONS
  return (
    <>
      <Field
        label={t`Questions to begin with`}
        hint={t`One a line, at most ${MOST_QUESTIONS}. Visitors ask one with a click.`}
        error={isTooLong ? t`These are more than ${MOST_QUESTIONS}.` : null}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            maxLength={1300}
            value={look.questions}
            onChange={({ target }) => onChange({ questions: target.value })}
          />
        )}
      </Field>
      <LogoField isThere={look.logo !== null} onChange={onChange} />
      <div className="grid gap-4 sm:grid-cols-3 md:grid-cols-2 lg:grid-cols-3">
        <div>
          <label htmlFor={colorId} className="mb-1.5 block font-medium">
            <Trans>Colour</Trans>
          </label>
          <div className="flex items-center gap-2">
            <input
              id={colorId}
              type="color"
              value={look.color ?? USUAL_COLOR}
              onChange={({ target }) => onChange({ color: target.value })}
              className="h-9 w-14 cursor-pointer rounded-control border border-line-strong/60 bg-raised p-1"
            />
            {look.color && (
              <Button variant="quiet" onClick={() => onChange({ color: null })}>
                <Trans>Reset</Trans>
              </Button>
            )}
          </div>
        </div>
        <Field label={t`Button on a website`}>
          {(control) => (
            <Select
              {...control}
              value={look.position}
              onChange={({ target }) => onChange({ position: target.value as LinkLook['position'] })}
            >
              <option value="right">{t`Bottom right`}</option>
              <option value="left">{t`Bottom left`}</option>
            </Select>
          )}
        </Field>
        <Field label={t`Language`}>
          {(control) => (
            <Select
              {...control}
              value={look.language ?? ''}
              onChange={({ target }) => onChange({ language: (target.value || null) as Language | null })}
            >
              <option value="">{t`As in the browser`}</option>
              {LANGUAGE_TAGS.map((tag) => (
                <option key={tag} value={tag} lang={tag}>
                  {LANGUAGES[tag]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </>
  )
}

const smallLogo = async (file: File) => (await import('../../platform/files/small-picture.ts')).logoPicture(file)

/** Logo beside the name of the agent. */
function LogoField({ isThere, onChange }: { isThere: boolean; onChange: LinkLookFieldsProps['onChange'] }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = (file: File) =>
    unawaited(
      smallLogo(file).then(
        (content) => onChange(newLogo(content)),
        (error: unknown) => toast(explain(error), { isError: true }),
      ),
    )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="font-medium">
        <Trans>Logo</Trans>
      </span>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        aria-label={t`Choose a logo`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) choose(file)
          // Lets the same file be chosen again.
          target.value = ''
        }}
      />
      <Button onClick={() => input.current?.click()}>{isThere ? t`Change the logo` : t`Add a logo`}</Button>
      {isThere && (
        <Button onClick={() => onChange({ logo: null, newLogo: null })}>
          <Trans>Remove</Trans>
        </Button>
      )}
    </div>
  )
}
