import * as Menu from "@radix-ui/react-dropdown-menu";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { q } from "../../api/queries";
import { text } from "../../text/en";
import { Icon } from "../../ui/Icon";
import { AddToCategory, Marks, type Sorted } from "./Categories";
import { button } from "../../ui/Button";
import menuCss from "../../ui/menu.module.css";

/** A line that has a menu: by its button, by the right button anywhere on the line, and by the keyboard's own key for it. */
export function MenuLine({ title, side, items, children }: { title: string; side: ReactNode; items: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <li
      className="row apart"
      onContextMenu={(e) => {
        e.preventDefault();
        setOpen(true);
      }}
    >
      {children}
      <div className="row">
        {side}
        <Menu.Root modal={false} open={open} onOpenChange={setOpen}>
          <Menu.Trigger className={`${button("plain tiny")} ${menuCss.more}`} aria-label={text.skills.menu(title)}>
            <Icon name="more" />
          </Menu.Trigger>
          <Menu.Portal>
            <Menu.Content className={menuCss.menu} align="end" sideOffset={4}>
              {items}
            </Menu.Content>
          </Menu.Portal>
        </Menu.Root>
      </div>
    </li>
  );
}

/** A line of something that is not installed yet, to be put into categories. */
export function Sortable({ item, open, side, children }: { item: Sorted; open: () => void; side: ReactNode; children: ReactNode }) {
  const { data: all } = useQuery(q.categories());
  const { data: sorted } = useQuery(q.sorted());
  const [sorting, setSorting] = useState(false);
  const within = sorted?.[item.id] ?? [];
  return (
    <>
      <MenuLine
        title={item.title}
        side={
          <>
            <Marks all={all} of={within} />
            {side}
          </>
        }
        items={
          <>
            <Menu.Item onSelect={open}>{text.skills.open}</Menu.Item>
            <Menu.Item onSelect={() => setTimeout(() => setSorting(true))}>{text.skills.addTo}</Menu.Item>
          </>
        }
      >
        {children}
      </MenuLine>
      {sorting && sorted && <AddToCategory item={item} within={within} close={() => setSorting(false)} />}
    </>
  );
}
