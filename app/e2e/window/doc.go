// Package window tests the real window: the desktop program under Xvfb with a window manager and a session bus of its own,
// against a real daemon and the stage of the pages' test. What the window shows is read as a screen reader reads it, through
// AT-SPI; buttons are pressed the same way, text is typed on the keyboard of the display.
//
// It runs where the programs were built (SHOWHOW_WINDOW names their folder; `make test-window`) and says why it does not
// elsewhere.
package window
