-- What the table's latest hand waits for, so that hands which only wait to be paid are found without reading records,
-- and so that a pot account can be seen to be empty between hands.

ALTER TABLE heads ADD COLUMN state text NOT NULL DEFAULT 'idle' CHECK (state IN ('idle', 'betting', 'played_out'));

-- The moment when something is due: by state, what.
CREATE INDEX heads_by_deadline ON heads (state, deadline) WHERE deadline IS NOT NULL;
CREATE INDEX heads_with_hands ON heads (stream) WHERE state <> 'idle';

-- A pot account with no open hand is zero: looked at when chips move (0002), and when a hand ends, once all of its
-- transaction is done.
CREATE FUNCTION razz_pot_is_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.accounts WHERE account = '\x50' || uuid_send(NEW.stream) AND balance <> 0) THEN
        RAISE EXCEPTION USING ERRCODE = 'RZ000', MESSAGE = 'a pot account with no open hand is zero';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER heads_leave_empty_pots AFTER UPDATE ON heads DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (OLD.state <> 'idle' AND NEW.state = 'idle')
EXECUTE FUNCTION razz_pot_is_empty();

GRANT UPDATE (state) ON heads TO razz_dealer;
