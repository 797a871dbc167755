import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

interface ChipProps {
  readonly name?: string | null;
  readonly value: ComponentChildren;
  readonly label: string;
  readonly changed?: boolean;
  readonly wrong?: boolean;
  readonly full?: boolean;
  readonly class?: string;
  readonly tabIndex?: number;
  /** The contents of the popover; `close` returns the focus to the chip. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A value that opens a popover in which it is changed; on a phone a sheet from below. Escape closes it. */
export function Chip(props: ChipProps) {
  const { name = null, value, label, changed = false, wrong = false, full = false, tabIndex, children } = props;
  const [isOpen, setOpen] = useState(false);
  const [atEnd, setAtEnd] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [isOpen]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const { left = 0 } = box.current?.getBoundingClientRect() ?? {};
    setAtEnd(left > innerWidth / 2);
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(`.popover ${selector}`);
    (find('input:checked') ?? find(':is(input, select, button, a[href])'))?.focus();
  }, [isOpen]);
  return (
    <div ref={box} class={`chip${full ? ' full' : ''}`}>
      <button
        ref={button}
        type="button"
        class={`${props.class ?? ''}${wrong ? ' wrong-value' : ''}`}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        {...(tabIndex !== undefined && { tabIndex })}
        onClick={() => setOpen(!isOpen)}
      >
        {name !== null && <span class="name">{name} </span>}
        <span class={changed ? 'value changed' : 'value'}>{value}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div
          class={atEnd ? 'popover end' : 'popover'}
          role="dialog"
          aria-label={label}
          // a press on a label keeps the focus inside: outside of it the popover closes before the click
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
