// Package window tests the real window: the desktop program under Xvfb with its own window manager and session bus,
// against a real daemon and the stage of the pages' test. It reads the window as a screen reader does, through
// AT-SPI; buttons are pressed the same way, text is typed on the display's keyboard.
//
// It runs where the programs were built (SHOWHOW_WINDOW names their folder; `make test-window`), and otherwise says
// why it does not.
package window
